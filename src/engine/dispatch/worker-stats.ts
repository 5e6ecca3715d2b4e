import type { Queue } from 'bullmq';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { messageOf, Unavailable } from '../../platform/errors.js';
import { memoizeFor } from '../../platform/runtime/memoize.js';
import { type QueueFigures, readQueueFigures } from './queue-figures.js';
import type { QueuePart } from './parts/queue-part.js';
import type { Queues } from './queues.js';

/** Requests within this time share one count: it lists the connections of Redis. */
const SHARED_MS = 1_000;

/** The work of all worker processes now. */
export interface WorkerStats {
  /** Jobs that run. */
  running: number;
  /** Jobs that the live workers can run at once; undefined if a worker does not tell, such as one of an earlier version. */
  slots: number | undefined;
  /** Jobs that wait for a worker. */
  waiting: number;
  /** Time for which the oldest of them has waited, in ms; 0 if none waits. */
  oldestWaitMs: number;
}

export type ReadWorkerStats = () => Promise<WorkerStats>;

/** Returns the name under which a worker's connection is listed: it tells how many jobs the worker runs at once. */
export function workerName(jobsAtOnce: number): string {
  return `jobs-${jobsAtOnce}`;
}

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
      const [figures, slots] = await Promise.all([
        readQueueFigures(queues, redis),
        queues.known().then((parts) => slotsOfAll(parts, queues)),
      ]);
      return { ...total(figures), slots };
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

async function slotsOfAll(
  parts: readonly QueuePart[],
  queues: Pick<Queues, 'at'>,
): Promise<number | undefined> {
  const slots = await Promise.all(parts.map((part) => slotsFor(queues.at(part))));
  return slots.reduce(plus, 0);
}

/** Returns the jobs that the live workers of the part can run at once; undefined if one does not tell. */
async function slotsFor(queue: Queue): Promise<number | undefined> {
  const workers = await queue.getWorkers();
  return workers.reduce<number | undefined>((sum, { rawname }) => plus(sum, slotsOf(rawname)), 0);
}

/** Returns the number in a `workerName`, which stands at the end of the connection's name. */
function slotsOf(connection: string | undefined): number | undefined {
  const [, jobs] = /:w:jobs-(\d+)$/.exec(connection ?? '') ?? [];
  return jobs === undefined ? undefined : Number(jobs);
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
