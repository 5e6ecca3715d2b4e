import type { Redis } from 'ioredis';
import type { QueueName } from './jobs.js';
import { queueNamed, type Queues } from './queues.js';

/** How many jobs of a queue could be taken right now. @throws when Redis does not answer. */
export type Backlog = (queue: QueueName) => Promise<number>;

/**
 * Jobs that wait for a worker. None where somebody holds the queue back (paused, limited in rate or in how many run at
 * once, all on the board): then waiting jobs say nothing about the workers.
 */
export function createBacklog({ redis, queues }: { redis: Redis; queues: Queues }): Backlog {
  return async (name) => {
    const queue = queueNamed(queues, name);
    const limits = await redis.hmget(queue.toKey('meta'), 'paused', 'concurrency', 'max');
    if (limits.some((limit) => limit !== null)) return 0;
    return queue.getJobCountByTypes('waiting', 'prioritized');
  };
}
