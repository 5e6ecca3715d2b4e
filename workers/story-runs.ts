import { startWorker } from './start-worker.js';

void startWorker({ name: 'story-runs', queues: ['story-runs'] });
