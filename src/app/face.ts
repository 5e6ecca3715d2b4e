/* The files in `workers` use this room by these exports alone. */
export { QUEUES } from '../engine/face.js';
export { runMaintenance } from './worker/run-maintenance.js';
export { startWorker } from './worker/start-worker.js';
export { runIsolated } from './worker/isolated-process.js';
