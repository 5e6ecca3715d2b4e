import { startWorker } from '../src/app/face.js';

void startWorker({ name: 'story-runs', queues: ['story-runs'] });
