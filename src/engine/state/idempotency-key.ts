import { memoize } from '../../platform/runtime/memoize.js';
import type { DeliveryRow } from './delivery-store.js';

/** Gives the mark of a delivery: the same for every try of it, and never another delivery's. */
export type MarkOf = (delivery: Pick<DeliveryRow, 'id' | 'createdAt'>) => string;

/** Gives what makes marks; asks the database once. */
export type Marks = () => Promise<MarkOf>;

/**
 * Marks for what leaves the machine (promise 2). Ids alone come again when a backup is restored: what was
 * made after the backup is gone, and the next deliveries get the same numbers. The time of their making tells them apart
 * whether anybody thinks of it or not, and a delivery that is in the backup keeps the mark that others know it by.
 */
export function createMarks(installation: () => Promise<string>): Marks {
  return memoize(async () => {
    const own = await installation();
    return ({ id, createdAt }) => `${own}-${createdAt.getTime().toString(36)}-${id}`;
  });
}
