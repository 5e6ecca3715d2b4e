import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryJob } from '../state/deliveries/delivery-job.js';
import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import type { DeliveryLoader } from './delivery-loader.js';

/** Only the row of a job that was added this lately may not have come to the node of the database that is asked. */
const FRESH_MS = 2_000;
/** Pauses before each further look; together less than a second. */
const PAUSES_MS = [5, 15, 50, 130, 300, 400];
/** Most jobs that look again at once: many jobs whose deliveries are gone must not hold up the queue. */
const MOST_LOOKING = 16;

/**
 * Returns a function that loads the delivery of a job. A node of a cluster that lags may not have the row yet: a missing or
 * older row of a fresh job is looked at again, several times. Without that, the job ends as done by somebody else, and the
 * delivery waits half a minute for the relay.
 */
export function createFreshDelivery(loader: Pick<DeliveryLoader, 'delivery'>) {
  let lookingAgain = 0;

  return async (
    { deliveryId, generation }: DeliveryJob,
    ageMs = FRESH_MS,
  ): Promise<DeliveryRow | undefined> => {
    const isStale = (row: DeliveryRow | undefined) => row === undefined || row.generation < generation;
    let row = await loader.delivery(deliveryId);
    if (!isStale(row) || ageMs >= FRESH_MS || lookingAgain >= MOST_LOOKING) return row;
    lookingAgain += 1;
    try {
      for (const pauseMs of PAUSES_MS) {
        await sleep(pauseMs);
        row = await loader.delivery(deliveryId);
        if (!isStale(row)) break;
      }
      return row;
    } finally {
      lookingAgain -= 1;
    }
  };
}
