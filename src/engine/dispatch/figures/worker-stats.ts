import type { Queue } from 'bullmq';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { messageOf, Unavailable } from '../../../platform/errors.js';
import { memoizeFor } from '../../../platform/runtime/memoize.js';
import { type QueueFigures, readQueueFigures } from './queue-figures.js';
import type { QueueName } from '../jobs.js';
import { partsByQueue, type Queues } from '../queues.js';
import { slotsOf } from './worker-names.js';

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

/** The live workers of one queue. */
export interface LiveQueueWorkers {
  /** Workers of the part that has the fewest; null: Redis does not list its connections. */
  workers: number | null;
  /** Jobs that they can run at once; undefined: Redis does not list their names. */
  slots: number | undefined;
}

/** Returns the live workers of each queue. @throws if Redis does not reply. */
export async function readQueueWorkers(
  queues: Pick<Queues, 'at' | 'known'>,
): Promise<Map<QueueName, LiveQueueWorkers>> {
  return new Map(
    await Promise.all(
      partsByQueue(await queues.known()).map(async ([name, parts]) => {
        const each = await Promise.all(parts.map((part) => workersOf(queues.at(part))));
        return [name, together(each)] as const;
      }),
    ),
  );
}

/** Adds numbers of which each may be unknown. */
function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function together(parts: LiveQueueWorkers[]): LiveQueueWorkers {
  const counts = parts.map(({ workers }) => workers);
  return {
    workers: counts.includes(null) ? null : Math.min(...counts.flatMap((count) => count ?? [])),
    slots: parts.reduce<number | undefined>((sum, { slots }) => plus(sum, slots), 0),
  };
}

async function workersOf(queue: Queue): Promise<LiveQueueWorkers> {
  const workers = await queue.getWorkers();
  return {
    workers: workers.some(({ addr }) => addr === undefined) ? null : workers.length,
    slots: workers.reduce<number | undefined>((sum, { rawname }) => plus(sum, slotsOf(rawname)), 0),
  };
}
