import { DELIVERY_QUEUES, type DeliveryQueue } from '../../../agents/face.js';
import { type QueueName, SPOOL_QUEUE } from '../jobs.js';

/**
 * One part of a queue: a queue of BullMQ with keys of its own (decision 0072). Part 1 has the name of the queue, and is its
 * only part unless `QUEUE_PARTS` says more.
 */
export interface QueuePart {
  queue: QueueName;
  /** From 1. */
  part: number;
}

/** Number of parts by queue; a queue that is not named has one. */
export type PartCounts = Readonly<Partial<Record<DeliveryQueue, number>>>;

/** The spool. It is not spread, since its jobs are worked on in order. */
export const SPOOL: QueuePart = { queue: SPOOL_QUEUE, part: 1 };

/** Returns the name of a part in BullMQ: `http-request`, `http-request-2`. */
export function partName({ queue, part }: QueuePart): string {
  return part === 1 ? queue : `${queue}-${part}`;
}

/** Returns a part's prefix. Each part has its own hash tag, so that parts spread over the nodes of a Redis Cluster. */
export function bullPrefix(prefix: string, part: QueuePart): string {
  return `{${prefix}-${partName(part)}}`;
}

/** Returns how many parts a queue has. */
export function partCount(counts: PartCounts, queue: QueueName): number {
  return queue === SPOOL_QUEUE ? 1 : (counts[queue] ?? 1);
}

/** Returns the queues that have several parts, in the order of the list of queues. */
export function spreadQueues(counts: PartCounts): DeliveryQueue[] {
  return DELIVERY_QUEUES.filter((queue) => partCount(counts, queue) > 1);
}

/** Returns the number of parts of a queue as processes tell each other: `http-request=4`. */
export function partsText(counts: PartCounts, queue: DeliveryQueue): string {
  return `${queue}=${partCount(counts, queue)}`;
}

/** Returns all parts of a queue. */
export function queuePartsOf(counts: PartCounts, queue: QueueName): QueuePart[] {
  return Array.from({ length: partCount(counts, queue) }, (_, index) => ({ queue, part: index + 1 }));
}

/**
 * Returns the part of a delivery's job, from 1 to `count`. Ids are mixed, because those of one queue may be far from even:
 * ids are reserved in blocks, and deliveries that are stored together take turns between queues.
 */
export function queuePartOf(deliveryId: number, count: number): number {
  return count === 1 ? 1 : 1 + (mixed(deliveryId) % count);
}

const HALF = 2 ** 32;
/** Odd numbers with about as many bits set as not: each bit of an id moves about half of the bits of the result. */
const FIRST = 0x9e3779b1;
const SECOND = 0x2c1b3c6d;

/** Returns a whole number from 0 to 2^32 - 1, in which ids of any pattern look random. */
function mixed(id: number): number {
  const low = (id % HALF) ^ Math.floor(id / HALF);
  const once = Math.imul(low ^ (low >>> 16), FIRST);
  const twice = Math.imul(once ^ (once >>> 15), SECOND);
  return (twice ^ (twice >>> 16)) >>> 0;
}
