import { memoizeFor } from '../../platform/runtime/memoize.js';

/** Maximum age of the list, so also the delay until a new key is known. */
const FRESH_MS = 2_000;
/** Number of digits kept of a digest: enough to distinguish keys from guesses. */
const KEPT_DIGITS = 16;
/** If there are more keys than this, `has` returns true for every digest. */
const MAX_KEYS = 100_000;

export interface KnownApiKeys {
  /** Returns true if a key with this digest may exist; the list is up to two seconds old. */
  has(digest: string): Promise<boolean>;
}

/** Reads all valid keys, at most every two seconds. Used only while an address sends many wrong keys. */
export function createKnownKeys(listDigests: (limit: number) => Promise<string[]>): KnownApiKeys {
  const load = memoizeFor(FRESH_MS, async () => {
    const digests = await listDigests(MAX_KEYS + 1);
    if (digests.length > MAX_KEYS) return undefined;
    return new Set(digests.map((digest) => digest.slice(0, KEPT_DIGITS)));
  });
  return {
    async has(digest) {
      const known = await load();
      return known === undefined || known.has(digest.slice(0, KEPT_DIGITS));
    },
  };
}
