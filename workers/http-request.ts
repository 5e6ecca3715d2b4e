import { startWorker } from '../src/app/face.js';

void startWorker({ name: 'http-request', queues: ['http-request'] });
