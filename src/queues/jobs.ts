import type { RunSource } from '../events/run-starter.js';

/** Runs that begin by themselves or by request: each job runs the entry action of one. */
export const START_QUEUE = 'story-runs' as const;

/**
 * Queues of deliveries (ARCHITECTURE.md, Queues and processes): one for starts and one for each agent type that
 * receives events, so that each scales alone and Bull Board shows each flow.
 */
export const DELIVERY_QUEUES = [
  'story-runs',
  'event-transformation',
  'trigger',
  'http-request',
  'email',
  'send-to-story',
] as const;
export type DeliveryQueue = (typeof DELIVERY_QUEUES)[number];

/** Webhook events that were accepted while MySQL was out of reach: the only jobs that carry payloads. */
export const SPOOL_QUEUE = 'webhook-events';

/** THE list of queues. */
export const QUEUES = [SPOOL_QUEUE, ...DELIVERY_QUEUES] as const;
export type QueueName = (typeof QUEUES)[number];

/** All that a delivery's job carries: the row in MySQL says the rest (rule 8). */
export interface DeliveryJob {
  deliveryId: number;
  generation: number;
}

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
