import { startWorker } from './start-worker.js';

void startWorker({ name: 'http-request', queues: ['http-request'] });
