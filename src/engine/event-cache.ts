import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../json.js';
import type { Lineage } from '../events/lineage.js';
import type { StoredEvent } from '../events/event-store.js';

/** An event as the engine passes it round. The payload is shared between deliveries: nobody changes it. */
export interface CachedEvent {
  id: number;
  agentId: number;
  payload: JsonValue;
  lineage: Lineage;
}

/** A parsed document takes a few times the bytes of its text. */
const BYTES_PER_CHARACTER = 4;
const OVERHEAD_BYTES = 500;

/** Events this process has made or loaded lately, bounded by bytes. */
export type EventCache = ReturnType<typeof createEventCache>;

export function createEventCache(maxBytes: number) {
  const cache = new LRUCache<number, CachedEvent>({ maxSize: maxBytes });
  return {
    get: (id: number) => cache.get(id),
    /** Keeps the event (unless it is larger than the whole cache) and gives it parsed. */
    add(event: StoredEvent): CachedEvent {
      const cached = { ...event, payload: JSON.parse(event.payload) as JsonValue };
      const size = event.payload.length * BYTES_PER_CHARACTER + OVERHEAD_BYTES;
      if (size < maxBytes) cache.set(event.id, cached, { size });
      return cached;
    },
  };
}
