import type { Queue } from 'bullmq';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { QueueName } from './jobs.js';
import type { Queues } from './queues.js';

/** How much waits in one queue. */
export interface QueueFigures {
  queue: QueueName;
  /** Jobs that wait for a worker. */
  waiting: number;
  /** Jobs that run. */
  active: number;
  /** Jobs that were handed back for a while. */
  delayed: number;
  /** Time for which the oldest waiting job has waited, in ms; 0 if none waits. */
  oldestMs: number;
}

/** Reads how much waits in each queue. It loads no payloads: the spool may have large ones. @throws if Redis does not reply. */
export function readQueueFigures(queues: Queues, redis: RedisClient): Promise<QueueFigures[]> {
  return Promise.all([...queues].map(([name, queue]) => figuresOf(name, queue, redis)));
}

async function figuresOf(name: QueueName, queue: Queue, redis: RedisClient): Promise<QueueFigures> {
  const [counts, ids] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed'),
    queue.getRanges(['wait', 'prioritized'], 0, 0, true),
  ]);
  const since = await addedAt(
    ids.map((id) => queue.toKey(id)),
    redis,
  );
  return {
    queue: name,
    waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
    active: counts['active'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    oldestMs: since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since)),
  };
}

/** A job that a worker took in between may have no data any more. */
async function addedAt(jobKeys: string[], redis: RedisClient): Promise<number[]> {
  const times = await Promise.all(jobKeys.map((key) => redis.hget(key, 'timestamp')));
  return times.flatMap((time) => (time === null ? [] : [Number(time)]));
}
