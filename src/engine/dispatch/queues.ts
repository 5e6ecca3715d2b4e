import { Queue } from 'bullmq';
import type { DeliveryQueue } from '../../agents/face.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { Logger } from '../../platform/logger.js';
import { messageOf } from '../../platform/errors.js';
import { QUEUES, type QueueName } from './jobs.js';
import { createKnownParts } from './parts/known-parts.js';
import {
  bullPrefix,
  type PartCounts,
  partCount,
  partName,
  queuePartOf,
  queuePartsOf,
  type QueuePart,
} from './parts/queue-part.js';

/** The producers of all queues. */
export interface Queues {
  /** Returns the queue of one part. */
  at(part: QueuePart): Queue;
  /** Returns the queue that gets the job of a delivery; `announce` comes before the first job. */
  of(queue: DeliveryQueue, deliveryId: number): Queue;
  /** Resolves when other processes can know of the parts that this one fills. @throws if Redis does not reply. */
  announce(): Promise<void>;
  /** The parts that this process fills, queue by queue. */
  own: readonly QueuePart[];
  /**
   * Returns all parts that may have jobs, queue by queue: those of this process, and those of others with another setting.
   * @throws if Redis does not reply.
   */
  known(): Promise<QueuePart[]>;
  close(): Promise<void>;
}

export interface QueuesOptions {
  redis: RedisClient;
  prefix: string;
  /** How many parts each queue has; absent: one. */
  parts?: PartCounts;
  logger: Logger;
}

/** Creates the producers of all queues. */
export function createQueues({ redis, prefix, parts = {}, logger }: QueuesOptions): Queues {
  const opened = new Map<string, Queue>();
  const known = createKnownParts({ redis, prefix, own: parts });

  const at = (part: QueuePart): Queue => {
    const name = partName(part);
    const open = opened.get(name) ?? openQueue(part, { redis, prefix, logger });
    opened.set(name, open);
    return open;
  };
  const own = allOf(parts);
  for (const part of own) at(part);

  return {
    at,
    of: (queue, deliveryId) => at({ queue, part: queuePartOf(deliveryId, partCount(parts, queue)) }),
    announce: () => known.announce(),
    own,
    known: async () => allOf(await known.read()),
    async close() {
      await Promise.all([...opened.values()].map((queue) => queue.close()));
    },
  };
}

function allOf(counts: PartCounts): QueuePart[] {
  return QUEUES.flatMap((queue) => queuePartsOf(counts, queue));
}

function openQueue(part: QueuePart, { redis, prefix, logger }: QueuesOptions): Queue {
  const name = partName(part);
  const queue = new Queue(name, {
    connection: redis,
    prefix: bullPrefix(prefix, part),
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  queue.on('error', (error) => logger.debug('queue error', { queue: name, error: messageOf(error) }));
  return queue;
}

/** Returns the parts of each queue. */
export function partsByQueue(parts: readonly QueuePart[]): [QueueName, QueuePart[]][] {
  return QUEUES.map((name) => [name, parts.filter(({ queue }) => queue === name)]);
}
