import { memoize } from '../../../platform/runtime/memoize.js';
import type { DeliveryRow } from '../deliveries/delivery-store.js';

/** Returns the idempotency key of a delivery: the same for each of its attempts, and unique among deliveries. */
export type IdempotencyKeyOf = (delivery: Pick<DeliveryRow, 'id' | 'createdAt'>) => string;

/** Returns the function that makes idempotency keys; reads the installation's id from the database once. */
export type IdempotencyKeys = () => Promise<IdempotencyKeyOf>;

/**
 * Makes idempotency keys for what leaves the machine (promise 2). After a restored backup, new deliveries get ids that
 * were used before. The creation time makes their keys differ without an operator's help, and a delivery that is in the
 * backup keeps its key.
 */
export function createIdempotencyKeys(installation: () => Promise<string>): IdempotencyKeys {
  return memoize(async () => {
    const own = await installation();
    return ({ id, createdAt }) => `${own}-${createdAt.getTime().toString(36)}-${id}`;
  });
}
