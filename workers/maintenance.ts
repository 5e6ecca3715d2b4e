import { runMaintenance, startWorker } from '../src/worker/face.js';

void startWorker({ name: 'maintenance', queues: [], background: runMaintenance });
