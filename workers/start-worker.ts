import { loadConfig } from '../src/config.js';
import { createLogger } from '../src/logger.js';
import type { QueueName } from '../src/queues/jobs.js';
import { createWorkerServices, type WorkerServices } from '../src/services.js';
import { exitOnUncaught, onShutdown } from '../src/shutdown.js';
import { createQueueWorker } from './queue-worker.js';

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
  const workers = role.queues.map((queue) => createQueueWorker(queue, services));
  const background = role.background?.(services, stopping.signal) ?? Promise.resolve();

  onShutdown({
    logger,
    steps: [
      {
        name: 'work under way',
        async stop() {
          stopping.abort();
          // Side by side: a slow action of one queue must not hold up the others.
          await Promise.all([background, ...workers.map((worker) => worker.close())]);
        },
      },
      { name: 'stores', stop: () => services.close() },
    ],
  });
  logger.info('worker is running', { queues: role.queues, concurrency: config.workerConcurrency });
}
