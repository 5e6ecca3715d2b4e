import { QUEUES, runMaintenance, startWorker } from '../src/app/face.js';

void startWorker({ name: 'all', queues: QUEUES, background: runMaintenance, isChosen: true });
