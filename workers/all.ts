import { QUEUES } from '../src/queues/jobs.js';
import { keepHouse } from './keep-house.js';
import { startWorker } from './start-worker.js';

void startWorker({ name: 'all', queues: QUEUES, background: keepHouse });
