import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../../platform/runtime/timeout.js';

/** A part with the time of what it tells. */
export type KeptPart<T> = T & { readAt: Date };

export interface KeptPartsOptions {
  /** Returns for how long a part serves, in ms; `tookMs`: how long reading it took. */
  freshMs: (tookMs: number) => number;
  /** How long a caller waits for a new part if there is an older one. */
  patienceMs: number;
  /** How long a caller waits for a part if there is none. */
  limitMs: number;
  /** How long an older part is kept. */
  mostOldMs: number;
}

/** Returns the part of a key: the kept one, or what `read` returns. @throws Error if there is none in time. */
export type KeepPart<T> = (key: string, read: () => Promise<T>) => Promise<KeptPart<T>>;

/** Parts by key. */
export interface KeptParts<T> {
  /** A kept part serves as long as it is fresh, and longer while a new one is read. */
  shared: KeepPart<T>;
  /** A kept part serves for a second, and for a minute if no new one is read in time. */
  current: KeepPart<T>;
  /** The next reading: it begins once the one that is under way has ended. */
  next: KeepPart<T>;
}

interface Known<T> {
  kept: KeptPart<T>;
  freshUntil: number;
}

/** Seven for each set of rights that people have. */
const MOST_PARTS = 5_000;
/** A part counts as current for this time. */
const CURRENT_MS = 1_000;
/** A part is behind after this time: it no longer replaces a current one, and the inbox says that it is behind. */
export const BEHIND_MS = 60_000;

/**
 * Creates what keeps parts by key. All callers share a reading. One that takes long, or fails, does not take away what
 * is known: then the older part is returned. A part without a time has that at which its reading began. A part may tell its own
 * time; then its reading waited for a turn, and that wait does not count as cost.
 */
export function createKeptParts<T extends { readAt?: Date }>(options: KeptPartsOptions): KeptParts<T> {
  const { freshMs, patienceMs, limitMs, mostOldMs } = options;
  const parts = new LRUCache<string, Known<T>>({ max: MOST_PARTS, ttl: mostOldMs });
  /** Readings that have not ended, by key. They may wait for their turn for longer than parts are kept. */
  const readings = new Map<string, Promise<KeptPart<T>>>();
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
  const readingOf = (key: string, read: () => Promise<T>): Promise<KeptPart<T>> => {
    const known = readings.get(key);
    if (known !== undefined) return known;
    const reading = readAndKeep(key, read).finally(() => readings.delete(key));
    readings.set(key, reading);
    return reading;
  };
  const nextReading = async (key: string, read: () => Promise<T>): Promise<KeptPart<T>> => {
    await readings.get(key)?.catch(() => undefined);
    return readingOf(key, read);
  };
  return {
    next: (key, read) => withTimeout(nextReading(key, read), limitMs),
    async shared(key, read) {
      const known = parts.get(key);
      if (known !== undefined && performance.now() < known.freshUntil) return known.kept;
      const reading = readingOf(key, read);
      if (known === undefined) return withTimeout(reading, limitMs);
      return withTimeout(reading, patienceMs).catch(() => known.kept);
    },
    async current(key, read) {
      const kept = parts.get(key)?.kept;
      const ageMs = kept === undefined ? Infinity : Date.now() - kept.readAt.getTime();
      if (kept !== undefined && ageMs <= CURRENT_MS) return kept;
      const reading = withTimeout(readingOf(key, read), limitMs);
      return kept === undefined || ageMs > BEHIND_MS ? reading : reading.catch(() => kept);
    },
  };
}
