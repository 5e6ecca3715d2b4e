/* The files in `workers` use this room by these exports alone. */
export { QUEUES } from '../engine/dispatch/jobs.js';
export { runMaintenance } from './run-maintenance.js';
export { startWorker } from './start-worker.js';
export { runIsolated } from './isolated-process.js';
