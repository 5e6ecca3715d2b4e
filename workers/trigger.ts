import { startWorker } from '../src/app/face.js';

void startWorker({ name: 'trigger', queues: ['trigger'] });
