import { startWorker } from '../src/app/face.js';

void startWorker({ name: 'event-transformation', queues: ['event-transformation'] });
