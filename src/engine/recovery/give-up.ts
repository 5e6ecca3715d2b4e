import type { DeliveryJob } from '../state/deliveries/delivery-job.js';
import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import { deadLetter } from '../state/outcome.js';
import type { DeliveryLoader } from '../execute/delivery-loader.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';
import type { DeliverySummary } from '../execute/delivery-summary.js';

type Loader = Pick<DeliveryLoader, 'delivery'>;

export interface GiveUpDeps {
  loader: Loader;
  outcomes: Pick<OutcomeWriter, 'submit'>;
}

/** Makes a delivery that cannot be run a dead letter, without loading its event (rule 9). */
export type GiveUp = (job: DeliveryJob, error: string) => Promise<DeliverySummary>;

export function createGiveUp({ loader, outcomes }: GiveUpDeps): GiveUp {
  return async (job, error) => {
    const delivery = await currentDelivery(job, loader);
    if (delivery === undefined) return { outcome: 'gone' };
    const { applied } = await outcomes.submit(deadLetter(delivery, error));
    return applied ? { outcome: 'failed', error } : { outcome: 'gone' };
  };
}

/** Returns whether a job has work: its delivery was neither done nor given to another job. */
export type IsCurrent = (job: DeliveryJob) => Promise<boolean>;

export function createIsCurrent(loader: Loader): IsCurrent {
  return async (job) => (await currentDelivery(job, loader)) !== undefined;
}

async function currentDelivery(
  { deliveryId, generation }: DeliveryJob,
  loader: Loader,
): Promise<DeliveryRow | undefined> {
  const delivery = await loader.delivery(deliveryId);
  return delivery?.generation === generation && delivery.state === 'pending' ? delivery : undefined;
}
