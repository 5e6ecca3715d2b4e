import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../../platform/logger.js';
import { messageOf } from '../../platform/errors.js';
import { QUEUES, type QueueName } from './jobs.js';

/** Each queue has a hash tag of its own, so that queues spread over the nodes of a Redis Cluster. */
export function bullPrefix(prefix: string, queue: QueueName): string {
  return `{${prefix}-${queue}}`;
}

export type Queues = ReadonlyMap<QueueName, Queue>;

/** The producers' side of every queue. */
export function createQueues(options: { redis: Redis; prefix: string; logger: Logger }): Queues {
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

/** The queue of this name. */
export function queueNamed(queues: Queues, name: QueueName): Queue {
  const queue = queues.get(name);
  if (queue === undefined) throw new Error(`There is no queue ${name}`);
  return queue;
}
