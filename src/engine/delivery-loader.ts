import { createBatchLoader } from '../db/batch-loader.js';
import { patiently } from '../db/patiently.js';
import type { Database } from '../db/database.js';
import { type DeliveryRow, findDeliveries } from '../events/delivery-store.js';
import { findEvents } from '../events/event-store.js';
import type { CachedEvent, EventCache } from './event-cache.js';

/** Looks up what jobs need, many at a time. */
export interface DeliveryLoader {
  delivery(id: number): Promise<DeliveryRow | undefined>;
  /** The events that are (still) there, by id; from the cache, or all missing ones in one statement. */
  events(ids: number[]): Promise<Map<number, CachedEvent>>;
}

export function createDeliveryLoader(deps: { database: Database; events: EventCache }): DeliveryLoader {
  const loadDelivery = createBatchLoader<number, DeliveryRow>(async (ids) => {
    const rows = await patiently(() => deps.database.read((session) => findDeliveries(session, ids)));
    return new Map(rows.map((row) => [row.id, row]));
  });
  const loadEvent = createBatchLoader<number, CachedEvent>(async (ids) => {
    const rows = await patiently(() => deps.database.read((session) => findEvents(session, ids)));
    return new Map(rows.map((row) => [row.id, deps.events.add(row)]));
  });

  return {
    delivery: loadDelivery,
    async events(ids) {
      const found = new Map<number, CachedEvent>();
      await Promise.all(
        ids.map(async (id) => {
          const event = deps.events.get(id) ?? (await loadEvent(id));
          if (event !== undefined) found.set(id, event);
        }),
      );
      return found;
    },
  };
}
