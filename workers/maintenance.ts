import { keepHouse } from './keep-house.js';
import { startWorker } from './start-worker.js';

void startWorker({ name: 'maintenance', queues: [], background: keepHouse });
