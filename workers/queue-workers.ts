import { messageOf } from '../src/platform/errors.js';
import type { QueueName } from '../src/engine/dispatch/jobs.js';
import { createDuty } from '../src/platform/redis/duty.js';
import { createRedis, LONGEST_WAIT_MS } from '../src/platform/redis/redis.js';
import { loopUntil } from '../src/platform/runtime/background-loop.js';
import type { WorkerServices } from '../src/app/worker-services.js';
import type { IsolatedRunner } from './isolated-runner.js';
import { createQueueWorker, type QueueWorker, STALLED_SCAN_MS } from './queue-worker.js';

/** How long the process on duty waits for a job before it looks for one: the announcement of a job may be lost. */
const DUTY_WAIT_SECONDS = 5;

/** The workers of a process. */
export interface QueueWorkers {
  list: readonly QueueWorker[];
  /** Closes all workers (see `QueueWorker`), and their connection. */
  close(patienceMs: number): Promise<void>;
}

/**
 * Processes the jobs of these queues until closed. All workers share one connection. One of the processes with the same queues is
 * on duty: it looks for jobs whose worker died, and for jobs nobody was told of; the others only wait for jobs.
 */
export function createQueueWorkers(
  queues: readonly QueueName[],
  services: WorkerServices,
  lone?: IsolatedRunner,
): QueueWorkers {
  if (queues.length === 0) return { list: [], close: () => Promise.resolve() };
  const redis = createRedis(services.config, 'worker', services.loggers.queues);
  const list = queues.map((queue) => createQueueWorker(queue, { services, redis, lone }));
  const stopping = new AbortController();
  const onDuty = takeTurns(list, services, stopping.signal);
  return {
    list,
    async close(patienceMs) {
      stopping.abort();
      // In parallel: a slow action of one queue must not delay the others.
      await Promise.all(list.map((worker) => worker.close(patienceMs)));
      redis.disconnect();
      await onDuty;
    },
  };
}

function takeTurns(
  workers: readonly QueueWorker[],
  { config, redis, loggers: { queues: logger } }: WorkerServices,
  signal: AbortSignal,
): Promise<void> {
  const names = workers.map(({ name }) => name).toSorted();
  const duty = createDuty({ redis, key: `${config.queuePrefix}:duty:queues:${names.join('+')}`, logger });
  const scan = async () => {
    const scans = await Promise.allSettled(workers.map((worker) => worker.scanStalled()));
    const failed = scans.find((each) => each.status === 'rejected');
    if (failed !== undefined) logger.debug('no scan for stalled jobs', { error: messageOf(failed.reason) });
    return STALLED_SCAN_MS;
  };
  const waitFor = (seconds: number) => {
    for (const worker of workers) worker.waitFor(seconds);
  };
  return duty.run(signal, {
    async work(until) {
      waitFor(DUTY_WAIT_SECONDS);
      const failure = 'looking for stalled jobs failed';
      await loopUntil(until, { pass: scan, restAfterErrorMs: STALLED_SCAN_MS, failure, logger });
    },
    rest: () => waitFor(LONGEST_WAIT_MS / 1000),
  });
}
