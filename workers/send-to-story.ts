import { startWorker } from './start-worker.js';

void startWorker({ name: 'send-to-story', queues: ['send-to-story'] });
