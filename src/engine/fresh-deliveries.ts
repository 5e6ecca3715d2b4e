import { LRUCache } from 'lru-cache';
import type { DeliveryRow } from '../events/delivery-store.js';

/**
 * A job that comes later looks its delivery up: what was done to it meanwhile is seen by then. A cancelled run may begin
 * one more action for so long; what that comes to is dropped with its token (rule 13).
 */
const FRESH_MS = 250;
/** An explode of the largest kind; some 4 MB. */
const MAX_FRESH = 10_000;

/** Deliveries that this process has stored a moment ago. Most of their jobs come to it, and are spared the look-up. */
export interface FreshDeliveries {
  /** To be called after COMMIT. */
  add(rows: DeliveryRow[]): void;
  /** The row, once: a job that comes again is another try. */
  take(id: number): DeliveryRow | undefined;
}

export function createFreshDeliveries(now: () => number = () => performance.now()): FreshDeliveries {
  const rows = new LRUCache<number, { row: DeliveryRow; since: number }>({ max: MAX_FRESH });
  return {
    add(added) {
      const since = now();
      for (const row of added) rows.set(row.id, { row, since });
    },
    take(id) {
      const fresh = rows.get(id);
      if (fresh === undefined) return undefined;
      rows.delete(id);
      return now() - fresh.since < FRESH_MS ? fresh.row : undefined;
    },
  };
}
