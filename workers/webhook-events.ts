import { startWorker } from '../src/worker/face.js';

void startWorker({ name: 'webhook-events', queues: ['webhook-events'] });
