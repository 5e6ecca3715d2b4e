import { serveTasks } from '../platform/threads/thread-main.js';
import { TASKS, THREADS } from './thread-tasks.js';

serveTasks(TASKS, THREADS.errors);
