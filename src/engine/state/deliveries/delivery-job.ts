import type { DeliveryQueue } from '../../../agents/face.js';

/** The data of a delivery's job; the rest is in the MySQL row (rule 8). */
export interface DeliveryJob {
  deliveryId: number;
  generation: number;
}

/** A delivery that needs a job. */
export interface JobRef extends DeliveryJob {
  queue: DeliveryQueue;
  storyId: number;
}
