import { runMaintenance } from './run-maintenance.js';
import { startWorker } from './start-worker.js';

void startWorker({ name: 'maintenance', queues: [], background: runMaintenance });
