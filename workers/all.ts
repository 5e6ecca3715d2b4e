import { QUEUES } from '../src/engine/dispatch/jobs.js';
import { runMaintenance } from './run-maintenance.js';
import { startWorker } from './start-worker.js';

void startWorker({ name: 'all', queues: QUEUES, background: runMaintenance, isChosen: true });
