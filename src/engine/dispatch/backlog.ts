import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { QueueName } from './jobs.js';
import { queueNamed, type Queues } from './queues.js';

/** Returns the number of jobs in a queue that a worker could take now. @throws if Redis does not reply. */
export type Backlog = (queue: QueueName) => Promise<number>;

/**
 * Counts the jobs that wait for a worker. Returns 0 for a queue that is paused or limited in rate or concurrency on the
 * board: its waiting jobs say nothing about the workers.
 */
export function createBacklog({ redis, queues }: { redis: RedisClient; queues: Queues }): Backlog {
  return async (name) => {
    const queue = queueNamed(queues, name);
    // The one command of an idle queue.
    if ((await redis.exists(queue.toKey('wait'), queue.toKey('prioritized'))) === 0) return 0;
    const limits = await redis.hmget(queue.toKey('meta'), 'paused', 'concurrency', 'max');
    if (limits.some((limit) => limit !== null)) return 0;
    return queue.getJobCountByTypes('waiting', 'prioritized');
  };
}
