import { startWorker } from '../src/worker/face.js';

void startWorker({ name: 'email', queues: ['email'] });
