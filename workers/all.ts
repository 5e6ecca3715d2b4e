import { QUEUES, runMaintenance, startWorker } from '../src/worker/face.js';

void startWorker({ name: 'all', queues: QUEUES, background: runMaintenance, isChosen: true });
