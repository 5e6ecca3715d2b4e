import { startWorker } from '../src/worker/face.js';

void startWorker({ name: 'http-request', queues: ['http-request'] });
