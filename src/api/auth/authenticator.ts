import { LRUCache } from 'lru-cache';
import { messageOf, Unauthorized } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { Actor } from './actor.js';
import type { ActorStore } from './actor-store.js';
import { apiKeyDigest, looksLikeApiKey } from './api-key.js';
import { memoizeFor } from '../../platform/runtime/memoize.js';
import { NO_REFUSED_CALLS, type RefusedCalls } from '../../platform/http/limits/refused-calls.js';

/** Maximum age of the list, so also the delay until a new key is known. */
const KNOWN_KEYS_FRESH_MS = 2_000;
/** Number of digits kept of a digest: enough to distinguish keys from guesses. */
const KEPT_DIGITS = 16;
/** If there are more keys than this, `has` returns true for every digest. */
const MAX_KEYS = 100_000;

const TOUCH_EVERY_MS = 60_000;
const REMEMBERED_KEYS = 10_000;

/** The two headers that can carry a key (spec §2.1). */
export interface KeyHeaders {
  userToken: string | undefined;
  authorization: string | undefined;
}

export interface AuthenticatorDeps {
  actors: Pick<ActorStore, 'findByDigest' | 'touch' | 'listDigests'>;
  logger: Logger;
  /** For an address with too many refused requests, only keys that may exist are looked up. */
  refused?: RefusedCalls;
}

/** Creates the check of API keys. */
export function createAuthenticator({ actors, logger, refused = NO_REFUSED_CALLS }: AuthenticatorDeps) {
  const known = createKnownKeys((limit) => actors.listDigests(limit));
  /** Keys whose use this process has recorded within the last minute. */
  const touched = new LRUCache<number, true>({ max: REMEMBERED_KEYS, ttl: TOUCH_EVERY_MS });

  const noteUse = (keyId: number): void => {
    if (touched.has(keyId)) return;
    touched.set(keyId, true);
    actors.touch(keyId).catch((error: unknown) => {
      touched.delete(keyId);
      logger.warn('could not record the use of an API key', { key_id: keyId, error: messageOf(error) });
    });
  };

  return {
    /**
     * Returns the actor of the request's key. Ignores `x-user-email`: only the key decides.
     * @throws Unauthorized if the key is missing, unknown, revoked or expired.
     */
    async authenticate(headers: KeyHeaders, address?: string): Promise<Actor> {
      const key = keyFrom(headers);
      if (key === undefined || !looksLikeApiKey(key)) throw new Unauthorized();
      const digest = apiKeyDigest(key);
      if (refused.isOver(address) && !(await known.has(digest))) throw new Unauthorized();
      const actor = await actors.findByDigest(digest);
      if (actor === undefined) throw new Unauthorized();
      noteUse(actor.keyId);
      return actor;
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Returns the key in the headers; `X-User-Token` has precedence over `Authorization: Bearer`. */
export function keyFrom({ userToken, authorization }: KeyHeaders): string | undefined {
  if (userToken !== undefined && userToken.trim() !== '') return userToken.trim();
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

interface KnownApiKeys {
  /** Returns true if a key with this digest may exist; the list is up to two seconds old. */
  has(digest: string): Promise<boolean>;
}

/** Reads all valid keys, at most every two seconds. Used only while an address sends many wrong keys. */
function createKnownKeys(listDigests: (limit: number) => Promise<string[]>): KnownApiKeys {
  const load = memoizeFor(KNOWN_KEYS_FRESH_MS, async () => {
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
