import { startWorker } from './start-worker.js';

void startWorker({ name: 'trigger', queues: ['trigger'] });
