import type { RedisClient } from './redis-client.js';
import { withTimeout } from '../runtime/timeout.js';

/** How long a stream counts as listened to after the last mark: readers that reconnect meanwhile miss nothing. */
const LISTENED_MS = 10_000;
/** Entries that are kept, and for how long after the last one. */
const KEPT_ENTRIES = 500;
const KEEP_MS = 3_600_000;
const TIMEOUT_MS = 1_000;
const FIELD = 'text';
/** The text of an entry before which entries may be missing: nobody listened. */
export const GAP = '';
/** The place before every entry. */
export const START = '0-0';

/** An entry of the stream; ids ascend. */
export interface StreamEntry {
  id: string;
  text: string;
}

/**
 * A bounded stream of texts between processes, which is written only while somebody listens. Every method rejects if Redis
 * does not respond in time.
 */
export interface ListenedStream {
  isListened(): Promise<boolean>;
  /** To be called at least every few seconds by who listens. Adds an entry `GAP` if nobody listened before. */
  markListened(): Promise<void>;
  append(text: string): Promise<void>;
  /** Returns the entry at this place, if it is there, and entries after it, oldest first, at most `count`. */
  readFrom(id: string, count: number): Promise<StreamEntry[]>;
  /** Returns the place of the newest entry, `START` if there is none. */
  lastId(): Promise<string>;
}

/** Creates the stream with this key; the flag that somebody listens has a key in the same slot of a cluster. */
export function createListenedStream(deps: { redis: RedisClient; key: string }): ListenedStream {
  const { redis } = deps;
  const key = `{${deps.key}}`;
  const flag = `${key}:listened`;
  const append = async (text: string): Promise<void> => {
    await timely(redis.xadd(key, 'MAXLEN', '~', KEPT_ENTRIES, '*', FIELD, text));
    await timely(redis.pexpire(key, KEEP_MS));
  };
  return {
    append,
    isListened: async () => (await timely(redis.exists(flag))) === 1,
    async markListened() {
      const before = await timely(redis.set(flag, '1', 'PX', LISTENED_MS, 'GET'));
      if (before === null) await append(GAP);
    },
    async readFrom(id, count) {
      const entries = await timely(redis.xrange(key, id, '+', 'COUNT', count));
      return entries.map(toEntry);
    },
    async lastId() {
      const [last] = await timely(redis.xrevrange(key, '+', '-', 'COUNT', 1));
      return last === undefined ? START : toEntry(last).id;
    },
  };
}

function timely<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, TIMEOUT_MS);
}

function toEntry([id, fields]: [string, string[]]): StreamEntry {
  return { id, text: fields[1] ?? '' };
}

const ENTRY_ID = /^(\d{1,15})-(\d{1,15})$/;

/** Returns true for the id of an entry. */
export function isEntryId(text: string): boolean {
  return ENTRY_ID.test(text);
}

/** Compares the ids of two entries: negative if the first one is older. */
export function compareIds(a: string, b: string): number {
  const [, aMs, aNext] = ENTRY_ID.exec(a) ?? [];
  const [, bMs, bNext] = ENTRY_ID.exec(b) ?? [];
  return Number(aMs) - Number(bMs) || Number(aNext) - Number(bNext);
}
