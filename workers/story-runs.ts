import { startWorker } from '../src/worker/face.js';

void startWorker({ name: 'story-runs', queues: ['story-runs'] });
