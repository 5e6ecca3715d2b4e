import { startWorker } from '../src/app/face.js';

void startWorker({ name: 'webhook-events', queues: ['webhook-events'] });
