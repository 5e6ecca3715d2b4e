import { startWorker } from '../src/app/face.js';

void startWorker({ name: 'email', queues: ['email'] });
