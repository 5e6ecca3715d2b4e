import { traceFields } from '../traces/trace-fields.js';
import { loadConfig } from '../../config/face.js';
import { Cancellation, type DeliveryJob, JobTaken } from '../../engine/face.js';
import { AgentError, messageOf } from '../../platform/errors.js';
import { createLogger } from '../../platform/logger.js';
import { createWorkerServices, type WorkerServices } from '../services/worker-services.js';
import { debugOnSignal } from '../../platform/runtime/debug-signal.js';
import { exitOnUncaught } from '../../platform/runtime/shutdown.js';
import type { IsolatedOrder, IsolatedReport } from './isolated-messages.js';
import { watchLoop } from './loop-watchdog.js';

const CLOSE_LIMIT_MS = 5_000;

/**
 * Runs the jobs that may have killed their worker, one at a time and with nothing else in the process (notes/runs.md, Run alone).
 * It belongs to the worker that started it, and ends with it.
 */
export function runIsolated(): void {
  const config = loadConfig();
  const logger = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    derived: traceFields(config),
    role: 'worker:alone',
  });
  exitOnUncaught(logger);
  debugOnSignal(logger);
  watchLoop({ limitMs: config.workerStallSeconds * 1000, role: 'worker:alone' });
  // Its worker counts the deliveries: nobody reads the metrics of this process.
  const services = createWorkerServices({ ...config, metrics: 'off' }, logger);
  let current = new Cancellation();

  const work = async (job: DeliveryJob): Promise<void> => {
    current = new Cancellation();
    try {
      report({ kind: 'ended', summary: await services.runDelivery(job, current) });
    } catch (error) {
      report({ kind: 'undone', error: messageOf(error) });
    }
  };
  // A terminal or a platform signals all processes at once, but this one must still finish the worker's job.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => void end(services));
  process.on('message', (order: IsolatedOrder) => {
    if (order.kind === 'stop') current.abort(reasonOf(order.reason));
    else void work(order.job);
  });
  if (process.connected) report({ kind: 'ready' });
  else void end(services);
}

function reasonOf(reason: 'late' | 'taken'): Error {
  return reason === 'late' ? new AgentError('The action took too long') : new JobTaken();
}

function report(message: IsolatedReport): void {
  if (process.connected) process.send?.(message);
}

/** Runs when the worker has disconnected or died. */
async function end(services: WorkerServices): Promise<void> {
  setTimeout(() => process.exit(1), CLOSE_LIMIT_MS);
  await services.close();
  process.exit(0);
}
