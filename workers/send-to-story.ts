import { startWorker } from '../src/app/face.js';

void startWorker({ name: 'send-to-story', queues: ['send-to-story'] });
