import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { QueuePart } from '../parts/queue-part.js';
import type { Queues } from '../queues.js';

/** Returns the number of jobs in a part of a queue that a worker could take now. @throws if Redis does not reply. */
export type Backlog = (part: QueuePart) => Promise<number>;

/**
 * Counts the jobs that wait for a worker. Returns 0 for a queue that is paused or limited in rate or concurrency on the
 * board: its waiting jobs say nothing about the workers.
 */
export function createBacklog({
  redis,
  queues,
}: {
  redis: RedisClient;
  queues: Pick<Queues, 'at'>;
}): Backlog {
  return async (part) => {
    const queue = queues.at(part);
    // The one command of an idle part.
    if ((await redis.exists(queue.toKey('wait'), queue.toKey('prioritized'))) === 0) return 0;
    const limits = await redis.hmget(queue.toKey('meta'), 'paused', 'concurrency', 'max');
    if (limits.some((limit) => limit !== null)) return 0;
    return queue.getJobCountByTypes('waiting', 'prioritized');
  };
}
