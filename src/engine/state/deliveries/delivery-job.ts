import type { DeliveryQueue } from '../../../agents/face.js';

/** The data of a delivery's job; the rest is in the MySQL row (rule 8). */
export interface DeliveryJob {
  deliveryId: number;
  generation: number;
  /** How many worker processes died, or stood still, while they ran this delivery; absent: none that gave it on. */
  deaths?: number | undefined;
}

/** A delivery that needs a job. */
export interface JobRef extends DeliveryJob {
  queue: DeliveryQueue;
  storyId: number;
}
