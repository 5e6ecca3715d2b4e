import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { messageOf, Unavailable } from '../../../platform/errors.js';
import { memoizeFor } from '../../../platform/runtime/memoize.js';
import { type QueueFigures, readQueueFigures } from './queue-figures.js';
import { plus, readQueueWorkers } from './live-workers.js';
import type { Queues } from '../queues.js';

/** Requests within this time share one count: it lists the connections of Redis. */
const SHARED_MS = 1_000;

/** The work of all worker processes now. */
export interface WorkerStats {
  /** Jobs that run. */
  running: number;
  /** Jobs that the live workers can run at once; undefined: Redis does not list their names. */
  slots: number | undefined;
  /** Jobs waiting for a worker. */
  waiting: number;
  /** Time for which the oldest of them has waited, in ms; 0 if none waits. */
  oldestWaitMs: number;
}

export type ReadWorkerStats = () => Promise<WorkerStats>;

/** Reads the work of all processes from Redis, without payloads. The result throws Unavailable if Redis does not reply. */
export function createWorkerStats({
  queues,
  redis,
}: {
  queues: Pick<Queues, 'at' | 'known'>;
  redis: RedisClient;
}): ReadWorkerStats {
  return memoizeFor(SHARED_MS, async () => {
    try {
      const [figures, workers] = await Promise.all([
        readQueueFigures(queues, redis),
        readQueueWorkers(queues),
      ]);
      return { ...total(figures), slots: [...workers.values()].map(({ slots }) => slots).reduce(plus, 0) };
    } catch (error) {
      throw new Unavailable(`The queues cannot be read now: ${messageOf(error)}`, { cause: error });
    }
  });
}

function total(figures: QueueFigures[]): Omit<WorkerStats, 'slots'> {
  const sum = (count: (figure: QueueFigures) => number) =>
    figures.reduce((all, figure) => all + count(figure), 0);
  return {
    running: sum(({ active }) => active),
    waiting: sum(({ waiting }) => waiting),
    oldestWaitMs: Math.max(0, ...figures.map(({ oldestMs }) => oldestMs)),
  };
}
