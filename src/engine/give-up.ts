import type { DeliveryJob } from '../events/delivery-job.js';
import { deadLetter } from './outcome.js';
import type { DeliveryLoader } from './delivery-loader.js';
import type { OutcomeWriter } from './outcome-writer.js';
import type { DeliverySummary } from './run-delivery.js';

export interface GiveUpDeps {
  loader: Pick<DeliveryLoader, 'delivery'>;
  outcomes: Pick<OutcomeWriter, 'submit'>;
}

/** Makes a dead letter of a delivery that cannot be run, without looking at its event (rule 9). */
export type GiveUp = (job: DeliveryJob, error: string) => Promise<DeliverySummary>;

export function createGiveUp({ loader, outcomes }: GiveUpDeps): GiveUp {
  return async ({ deliveryId, generation }, error) => {
    const delivery = await loader.delivery(deliveryId);
    if (delivery?.generation !== generation || delivery.state !== 'pending') return { outcome: 'gone' };
    const { applied } = await outcomes.submit(deadLetter(delivery, error));
    return applied ? { outcome: 'failed', error } : { outcome: 'gone' };
  };
}
