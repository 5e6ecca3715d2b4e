import { runMaintenance, startWorker } from '../src/app/face.js';

void startWorker({ name: 'maintenance', queues: [], background: runMaintenance });
