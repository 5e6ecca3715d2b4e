import { startWorker } from './start-worker.js';

void startWorker({ name: 'event-transformation', queues: ['event-transformation'] });
