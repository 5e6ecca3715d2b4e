import { Queue } from 'bullmq';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { Logger } from '../../platform/logger.js';
import { messageOf } from '../../platform/errors.js';
import { QUEUES, type QueueName } from './jobs.js';

/** Returns a queue's prefix. Each queue has its own hash tag, so that queues spread over the nodes of a Redis Cluster. */
export function bullPrefix(prefix: string, queue: QueueName): string {
  return `{${prefix}-${queue}}`;
}

export type Queues = ReadonlyMap<QueueName, Queue>;

/** Creates the producers of all queues. */
export function createQueues(options: { redis: RedisClient; prefix: string; logger: Logger }): Queues {
  return new Map(
    QUEUES.map((name) => {
      const queue = new Queue(name, {
        connection: options.redis,
        prefix: bullPrefix(options.prefix, name),
        skipWaitingForReady: true,
        skipVersionCheck: true,
      });
      queue.on('error', (error) =>
        options.logger.debug('queue error', { queue: name, error: messageOf(error) }),
      );
      return [name, queue];
    }),
  );
}

/** Returns the queue of this name. @throws Error if there is none. */
export function queueNamed(queues: Queues, name: QueueName): Queue {
  const queue = queues.get(name);
  if (queue === undefined) throw new Error(`There is no queue ${name}`);
  return queue;
}
