import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../../platform/json.js';
import type { Lineage } from '../../../agents/face.js';
import type { StoredEvent } from './event-store.js';
import { holdsReference } from '../../../platform/secrets/secret-reference.js';
import { parseJson } from '../../../platform/json/parse-json.js';

/** An event in the engine's memory. Deliveries share the payload, so no code may change it. */
export interface CachedEvent {
  id: number;
  agentId: number;
  payload: JsonValue;
  lineage: Lineage;
  /** Whether its payload may contain references to secrets (decision 0026). */
  holdsReference?: boolean;
  /** The payload as stored JSON text, if it is in memory. */
  text?: string;
}

/** A parsed document takes several times the memory of its text. */
const BYTES_PER_CHARACTER = 4;
const OVERHEAD_BYTES = 500;

interface Kept {
  stored: StoredEvent;
  wasRead: boolean;
  parsed: CachedEvent | undefined;
}

/** Events that this process stored or loaded recently, bounded by bytes. */
export type EventCache = ReturnType<typeof createEventCache>;

/**
 * Most events are read once, so they are cached as text: one object for the garbage collector instead of dozens. At the
 * second read the parsed event is cached too.
 */
export function createEventCache(maxBytes: number) {
  const cache = new LRUCache<number, Kept>({ maxSize: maxBytes });
  const keep = (stored: StoredEvent, wasRead: boolean): void => {
    const size = stored.payload.length * BYTES_PER_CHARACTER + OVERHEAD_BYTES;
    if (size < maxBytes) cache.set(stored.id, { stored, wasRead, parsed: undefined }, { size });
  };

  return {
    get(id: number): CachedEvent | undefined {
      const kept = cache.get(id);
      if (kept === undefined) return undefined;
      const event = kept.parsed ?? parse(kept.stored);
      if (kept.wasRead) kept.parsed = event;
      kept.wasRead = true;
      return event;
    },
    /** Caches an event that will be read soon, unless it is cached already or larger than the whole cache. */
    add(event: StoredEvent): void {
      if (!cache.has(event.id)) keep(event, false);
    },
    /** Caches an event that is read now, and returns it. */
    read(event: StoredEvent): CachedEvent {
      keep(event, true);
      return parse(event);
    },
  };
}

function parse(stored: StoredEvent): CachedEvent {
  return new TextEvent(stored);
}

/** Parses the payload at its first use: a large event may go to a thread as text, without being parsed here. */
class TextEvent implements CachedEvent {
  readonly id: number;
  readonly agentId: number;
  readonly lineage: Lineage;
  readonly text: string;
  readonly holdsReference: boolean;
  #parsed: JsonValue | undefined;

  constructor({ id, agentId, payload, lineage }: StoredEvent) {
    this.id = id;
    this.agentId = agentId;
    this.lineage = lineage;
    this.text = payload;
    this.holdsReference = holdsReference(payload);
  }

  get payload(): JsonValue {
    this.#parsed ??= parseJson(this.text);
    return this.#parsed;
  }
}
