import type { DeliveryJob } from '../state/deliveries/delivery-job.js';
import { deadLetter } from '../state/outcome.js';
import type { DeliveryLoader } from '../execute/delivery-loader.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';
import type { DeliverySummary } from '../execute/delivery-summary.js';

export interface GiveUpDeps {
  loader: Pick<DeliveryLoader, 'delivery'>;
  outcomes: Pick<OutcomeWriter, 'submit'>;
}

/** Makes a delivery that cannot be run a dead letter, without loading its event (rule 9). */
export type GiveUp = (job: DeliveryJob, error: string) => Promise<DeliverySummary>;

export function createGiveUp({ loader, outcomes }: GiveUpDeps): GiveUp {
  return async ({ deliveryId, generation }, error) => {
    const delivery = await loader.delivery(deliveryId);
    if (delivery?.generation !== generation || delivery.state !== 'pending') return { outcome: 'gone' };
    const { applied } = await outcomes.submit(deadLetter(delivery, error));
    return applied ? { outcome: 'failed', error } : { outcome: 'gone' };
  };
}
