import { DELIVERY_QUEUES } from '../../agents/delivery-queues.js';
import type { DeliveryJob } from '../state/delivery-job.js';
import type { RunSource } from '../state/run-store.js';

/** Webhook events that were accepted while MySQL was out of reach: the only jobs that carry payloads. */
export const SPOOL_QUEUE = 'webhook-events';

/** THE list of queues. */
export const QUEUES = [SPOOL_QUEUE, ...DELIVERY_QUEUES] as const;
export type QueueName = (typeof QUEUES)[number];

/**
 * The id of a delivery's job: the database's epoch keeps ids apart when a database is made anew beside an
 * old Redis, the generation tells a retry from what BullMQ still holds (rule 8).
 */
export function deliveryJobId(epoch: string, job: DeliveryJob): string {
  return `${epoch}-${job.deliveryId}-${job.generation}`;
}

/** A run whose start waits for MySQL. `payload` is JSON text; the guid makes a second start harmless (rule 3). */
export interface SpooledRun {
  guid: string;
  storyId: number;
  agentId: number;
  source: RunSource;
  payload: string;
}
