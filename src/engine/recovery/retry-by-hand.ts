import type { Database } from '../../platform/mysql/database.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { reviveDeadLetters } from './dead-letter-store.js';
import { findDeliveries, GRACE_SECONDS } from '../state/deliveries/delivery-store.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import type { DeliveryJob } from '../state/deliveries/delivery-job.js';
import { isDeliveryJob } from '../execute/run-delivery.js';

export interface RetryByHandDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
}

/** Retries the dead letter that this job left; returns false if it left none. */
export type RetryByHand = (job: DeliveryJob) => Promise<boolean>;

/**
 * For a failed job that was retried by hand on Bull Board. Becoming a dead letter raised its delivery's generation by one:
 * a higher one means that another job has retried it since. A new job does the work, as the relay finds jobs by their
 * name.
 */
export function createRetryByHand({ database, dispatcher }: RetryByHandDeps): RetryByHand {
  return async (job) => {
    if (!isDeliveryJob(job)) return false;
    const [delivery] = await database.read((session) => findDeliveries(session, [job.deliveryId]));
    if (delivery?.state !== 'failed' || delivery.generation !== job.generation + 1 || delivery.cancelled) {
      return false;
    }
    const revived = await retryTransient(() =>
      database.transaction((session) => reviveDeadLetters(session, [delivery], GRACE_SECONDS)),
    );
    const jobs = revived.map(({ generation, queue, storyId, id }) => ({
      generation,
      queue,
      storyId,
      deliveryId: id,
    }));
    dispatcher.dispatch(jobs);
    return jobs.length > 0;
  };
}
