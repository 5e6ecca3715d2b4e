import { startWorker } from '../src/worker/face.js';

void startWorker({ name: 'trigger', queues: ['trigger'] });
