import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../../platform/runtime/timeout.js';

/** A part with the time of what it tells. */
export type KeptPart<T> = T & { readAt: Date };

export interface KeptPartsOptions {
  /** Returns for how long a part serves, in ms; `tookMs`: how long reading it took. */
  freshMs: (tookMs: number) => number;
  /** Whoever can have an older part waits so long for a new one, others for `limitMs`. */
  patienceMs: number;
  limitMs: number;
  /** An older part serves for so long. */
  mostOldMs: number;
}

/** Returns the part of a key: the kept one, or what `read` returns. @throws Error if there is none in time. */
export type KeepPart<T> = (key: string, read: () => Promise<T>) => Promise<KeptPart<T>>;

interface Known<T> {
  kept?: KeptPart<T>;
  freshUntil: number;
  reading?: Promise<KeptPart<T>> | undefined;
}

const MOST_PARTS = 500;

/**
 * Returns a function that keeps parts by key. Callers share a reading. One that takes long, or fails, does not take away what
 * is known: then the older part is returned. A part without a time has that at which its reading began; one that has its own
 * waited for others, who see to what reading costs.
 */
export function createKeptParts<T extends { readAt?: Date }>(options: KeptPartsOptions): KeepPart<T> {
  const { freshMs, patienceMs, limitMs, mostOldMs } = options;
  const parts = new LRUCache<string, Known<T>>({ max: MOST_PARTS, ttl: mostOldMs });
  const readAndKeep = async (key: string, read: () => Promise<T>) => {
    const readAt = new Date();
    const beganAt = performance.now();
    const part = await read();
    const kept = { readAt, ...part };
    const now = performance.now();
    const tookMs = part.readAt === undefined ? now - beganAt : 0;
    parts.set(key, { kept, freshUntil: now + freshMs(tookMs) });
    return kept;
  };
  return async (key, read) => {
    const known = parts.get(key) ?? { freshUntil: 0 };
    const { kept } = known;
    if (kept !== undefined && performance.now() < known.freshUntil) return kept;
    known.reading ??= readAndKeep(key, read).finally(() => (known.reading = undefined));
    if (kept !== undefined) return withTimeout(known.reading, patienceMs).catch(() => kept);
    parts.set(key, known);
    return withTimeout(known.reading, limitMs);
  };
}
