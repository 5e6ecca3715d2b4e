import type { Queue } from 'bullmq';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { QueueName } from '../jobs.js';
import { type PausedQueue, readPause } from '../queue-pauses.js';
import { partsByQueue, type Queues } from '../queues.js';

/** How much waits in one queue, in all its parts together. */
export interface QueueFigures {
  queue: QueueName;
  /** Jobs waiting for a worker. */
  waiting: number;
  /** Jobs that run. */
  active: number;
  /** Jobs that were handed back for a while. */
  delayed: number;
  /** Time for which the oldest waiting job has waited, in ms; 0 if none waits. */
  oldestMs: number;
  /** Null: no part is paused. */
  paused: PausedQueue | null;
}

/** The figures of one part. */
type PartFigures = Omit<QueueFigures, 'queue'>;

/** Reads how much waits in each queue. It loads no payloads: the spool may have large ones. @throws if Redis does not reply. */
export async function readQueueFigures(
  queues: Pick<Queues, 'at' | 'known'>,
  redis: RedisClient,
): Promise<QueueFigures[]> {
  return Promise.all(
    partsByQueue(await queues.known()).map(async ([queue, parts]) => {
      const each = await Promise.all(parts.map((part) => figuresOf(queues.at(part), redis)));
      return { queue, ...together(each) };
    }),
  );
}

function together(each: PartFigures[]): PartFigures {
  const sum = (count: (figures: PartFigures) => number) =>
    each.reduce((all, figures) => all + count(figures), 0);
  return {
    waiting: sum(({ waiting }) => waiting),
    active: sum(({ active }) => active),
    delayed: sum(({ delayed }) => delayed),
    oldestMs: Math.max(...each.map(({ oldestMs }) => oldestMs)),
    paused: each.find(({ paused }) => paused !== null)?.paused ?? null,
  };
}

async function figuresOf(queue: Queue, redis: RedisClient): Promise<PartFigures> {
  const [counts, ids, paused] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed'),
    queue.getRanges(['wait', 'prioritized'], 0, 0, true),
    readPause(queue, redis),
  ]);
  const since = await addedAt(
    ids.map((id) => queue.toKey(id)),
    redis,
  );
  return {
    waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
    active: counts['active'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    oldestMs: since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since)),
    paused,
  };
}

/** A job that a worker took in between may have no data any more. */
async function addedAt(jobKeys: string[], redis: RedisClient): Promise<number[]> {
  const times = await Promise.all(jobKeys.map((key) => redis.hget(key, 'timestamp')));
  return times.flatMap((time) => (time === null ? [] : [Number(time)]));
}
