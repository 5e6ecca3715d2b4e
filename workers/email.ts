import { startWorker } from './start-worker.js';

void startWorker({ name: 'email', queues: ['email'] });
