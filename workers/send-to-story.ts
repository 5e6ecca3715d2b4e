import { startWorker } from '../src/worker/face.js';

void startWorker({ name: 'send-to-story', queues: ['send-to-story'] });
