import { startWorker } from '../src/worker/face.js';

void startWorker({ name: 'event-transformation', queues: ['event-transformation'] });
