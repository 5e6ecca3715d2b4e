import { loadConfig } from '../src/config.js';
import { createLogger } from '../src/logger.js';
import type { QueueName } from '../src/queues/jobs.js';
import { createWorkerServices, type WorkerServices } from '../src/services.js';
import { exitOnUncaught, onShutdown } from '../src/shutdown.js';
import { createQueueWorker, type QueueWorker } from './queue-worker.js';
import { waitForStores } from './wait-for-stores.js';

/** What a worker process does. */
export interface Role {
  /** For logs: `trigger`, `maintenance`, `all`. */
  name: string;
  /** The queues whose jobs it works on. */
  queues: readonly QueueName[];
  /** What it does besides, until the signal ends. */
  background?(services: WorkerServices, signal: AbortSignal): Promise<void>;
}

/** Runs a worker process until it is told to stop. */
export async function startWorker(role: Role): Promise<void> {
  const config = loadConfig();
  const logger = createLogger({ level: config.logLevel, role: `worker:${role.name}` });
  exitOnUncaught(logger);
  const services = createWorkerServices(config, logger);
  const stopping = new AbortController();
  const work = begin(role, services, stopping.signal);

  onShutdown({
    logger,
    steps: [
      {
        name: 'work under way',
        async stop() {
          stopping.abort();
          const { background, workers } = await work;
          // Side by side: a slow action of one queue must not hold up the others.
          await Promise.all([background, ...workers.map((worker) => worker.close())]);
        },
      },
      { name: 'stores', stop: () => services.close() },
    ],
  });
  await work;
  logger.info('worker is running', { queues: role.queues, concurrency: config.workerConcurrency });
}

interface Work {
  workers: QueueWorker[];
  background: Promise<void>;
}

/** Starts the work as soon as the stores are there; none when the process is told to stop before that. */
async function begin(role: Role, services: WorkerServices, signal: AbortSignal): Promise<Work> {
  await waitForStores(services, signal);
  if (signal.aborted) return { workers: [], background: Promise.resolve() };
  return {
    workers: role.queues.map((queue) => createQueueWorker(queue, services)),
    background: role.background?.(services, signal) ?? Promise.resolve(),
  };
}
