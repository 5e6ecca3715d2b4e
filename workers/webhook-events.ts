import { startWorker } from './start-worker.js';

void startWorker({ name: 'webhook-events', queues: ['webhook-events'] });
