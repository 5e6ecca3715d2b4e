import { serveTasks } from '../platform/threads/thread-main.js';
import { TASKS } from './thread-tasks.js';

serveTasks(TASKS);
