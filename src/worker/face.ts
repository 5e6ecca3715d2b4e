/* What the files in `workers` start: a worker process, and the work that its maintenance does. */
export { QUEUES } from '../engine/dispatch/jobs.js';
export { runMaintenance } from './run-maintenance.js';
export { startWorker } from './start-worker.js';
export { runIsolated } from './isolated-process.js';
