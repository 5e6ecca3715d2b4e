import { memoizeFor } from '../../platform/runtime/memoize.js';

/** A key that was made while an address floods us is known after this. */
const FRESH_MS = 2_000;
/** Of a digest: enough to tell keys from guesses. */
const KEPT_DIGITS = 16;
/** Beyond that any key may be one. */
const MAX_KEYS = 100_000;

export interface KnownKeys {
  /** Whether there can be a key with this digest, as of two seconds ago. */
  has(digest: string): Promise<boolean>;
}

/** The keys that work, read whole at most every two seconds: only asked while somebody tries wrong ones. */
export function createKnownKeys(listDigests: (limit: number) => Promise<string[]>): KnownKeys {
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
