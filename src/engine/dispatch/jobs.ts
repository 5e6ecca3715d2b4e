import { DELIVERY_QUEUES } from '../../agents/face.js';
import type { DeliveryJob } from '../state/deliveries/delivery-job.js';
import type { RunSource } from '../../api/face.js';

/** Webhook events accepted while MySQL was unreachable: the only jobs with payloads. */
export const SPOOL_QUEUE = 'webhook-events';

/** THE list of queues. */
export const QUEUES = [SPOOL_QUEUE, ...DELIVERY_QUEUES] as const;
export type QueueName = (typeof QUEUES)[number];

/**
 * Returns the id of a delivery's job. The database's epoch separates ids if a new database meets an old Redis; the
 * generation separates a retry from finished jobs that BullMQ keeps (rule 8).
 */
export function deliveryJobId(epoch: string, job: DeliveryJob): string {
  return `${epoch}-${job.deliveryId}-${job.generation}`;
}

/** A run whose start waits for MySQL. `payload` is JSON text; the guid prevents a second start (rule 3). */
export interface SpooledRun {
  guid: string;
  storyId: number;
  agentId: number;
  source: RunSource;
  payload: string;
}
