import { DELIVERY_QUEUES, type DeliveryQueue } from '../../../agents/face.js';
import { MOST_PARTS } from '../../../config/face.js';
import { memoizeFor } from '../../../platform/runtime/memoize.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { type PartCounts, partCount, partsText, spreadQueues } from './queue-part.js';

/**
 * Time for which parts are worked on that no process fills any more, in ms. It is longer than failed jobs are kept on the
 * board, since a retry there needs a worker.
 */
const KNOWN_MS = 15 * 24 * 60 * 60 * 1000;
/** A process announces its parts again before it adds jobs, if it did so longer ago, because Redis may have been emptied. */
const ANNOUNCED_MS = 10_000;

/** The parts that processes with other settings fill, or have filled (decision 0072). */
export interface KnownParts {
  /**
   * Resolves when other processes can know of this one's parts. It sends nothing if no queue is spread.
   * @throws if Redis does not reply.
   */
  announce(): Promise<void>;
  /** Returns the highest number of parts of each queue, this process's included. @throws if Redis does not reply. */
  read(): Promise<PartCounts>;
}

export interface KnownPartsDeps {
  redis: Pick<RedisClient, 'pipeline' | 'zrangebyscore'>;
  prefix: string;
  /** The setting of this process. */
  own: PartCounts;
}

/** Keeps the numbers of parts in a sorted set: `http-request=4`, with the time at which a process last announced it. */
export function createKnownParts({ redis, prefix, own }: KnownPartsDeps): KnownParts {
  const key = `${prefix}:queue-parts`;
  const spread = spreadQueues(own);
  const announce = async () => {
    const pipeline = redis.pipeline();
    for (const queue of spread) pipeline.zadd(key, Date.now(), partsText(own, queue));
    const replies = (await pipeline.pexpire(key, KNOWN_MS).exec()) ?? [];
    const failure = replies.find(([error]) => error !== null)?.[0];
    if (failure) throw failure;
  };
  return {
    announce: spread.length === 0 ? () => Promise.resolve() : memoizeFor(ANNOUNCED_MS, announce),
    async read() {
      const told = await redis.zrangebyscore(key, Date.now() - KNOWN_MS, '+inf');
      return told.reduce(withCount, own);
    },
  };
}

/** Returns the counts with the higher number of what `text` tells: `http-request=4`. */
function withCount(counts: PartCounts, text: string): PartCounts {
  const [name, number] = text.split('=');
  const queue = DELIVERY_QUEUES.find((each): each is DeliveryQueue => each === name);
  const count = Number(number);
  if (queue === undefined || !(count > partCount(counts, queue))) return counts;
  return { ...counts, [queue]: Math.min(count, MOST_PARTS) };
}
