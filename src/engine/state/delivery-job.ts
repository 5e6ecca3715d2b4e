import type { DeliveryQueue } from '../../agents/delivery-queues.js';

/** All that a delivery's job carries: the row in MySQL says the rest (rule 8). */
export interface DeliveryJob {
  deliveryId: number;
  generation: number;
}

/** A delivery that is to get a job. */
export interface JobRef extends DeliveryJob {
  queue: DeliveryQueue;
  storyId: number;
}
