import type { Database } from '../../platform/mysql/database.js';
import { retryTransient } from '../../platform/mysql/retry-transient.js';
import { reviveLetters } from './dead-letter-store.js';
import { findDeliveries, GRACE_SECONDS } from '../state/delivery-store.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { DeliveryJob } from '../state/delivery-job.js';
import { isDeliveryJob } from '../execute/run-delivery.js';

export interface RetryByHandDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
}

/** Sends the dead letter again that this job has left behind; false: it has left none. */
export type RetryByHand = (job: DeliveryJob) => Promise<boolean>;

/**
 * For a job that failed and was put back by hand (Bull Board's retry). Its delivery went one generation on when it became
 * a dead letter: one that has gone further was sent again, or has failed again, in another job. The work itself is done by
 * a new job, which the relay knows by its name.
 */
export function createRetryByHand({ database, dispatcher }: RetryByHandDeps): RetryByHand {
  return async (job) => {
    if (!isDeliveryJob(job)) return false;
    const [delivery] = await database.read((session) => findDeliveries(session, [job.deliveryId]));
    if (delivery?.state !== 'failed' || delivery.generation !== job.generation + 1 || delivery.cancelled) {
      return false;
    }
    const revived = await retryTransient(() =>
      database.transaction((session) => reviveLetters(session, [delivery], GRACE_SECONDS)),
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
