import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentError } from '../../../platform/errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import {
  CredentialCipherError,
  type CredentialCipher,
  type CredentialIdentity,
} from '../keys/credential-cipher.js';
import { claimLease, endLease, expireToken, findToken, storeToken } from './token-store.js';
import { notFetched } from './token-request.js';

/** A token from its server. */
export interface FetchedToken {
  token: string;
  /** For how long it may be used. */
  seconds: number;
}

/** The credential of a token. */
export interface TokenKey extends CredentialIdentity {
  id: number;
}

/** The places that a token comes from. */
interface Sources {
  /** Returns the token that is there already. */
  held: (key: TokenKey) => Promise<string | undefined>;
  fetch: () => Promise<FetchedToken>;
}

/** Longer than all requests for one token. */
const LEASE_SECONDS = 90;
const PAUSE_MS = 200;
const MOST_WAIT_MS = 30_000;
/** A younger token that its receiver refuses is not replaced: another one would be refused too. */
const RENEWED_AFTER_SECONDS = 60;

export type TokenCache = ReturnType<typeof createTokenCache>;

/**
 * Tokens of credentials, encrypted in the database until they expire. One process fetches a token, under a lease; the
 * others wait for it. A process that dies holds the lease for ninety seconds.
 */
export function createTokenCache(deps: { database: Pick<Database, 'read'>; cipher(): CredentialCipher }) {
  const underWay = new Map<number, Promise<string>>();

  const stored = async (key: TokenKey): Promise<string | undefined> => {
    const found = await deps.database.read((session) => findToken(key.id, session));
    return found && opened(found.encryptedToken, key);
  };
  const opened = (encrypted: Buffer, key: TokenKey): string | undefined => {
    try {
      return deps.cipher().decrypt(encrypted, identityOf(key));
    } catch (error) {
      // A key that is gone, or a token of another name: a new token takes its place.
      if (error instanceof CredentialCipherError) return undefined;
      throw error;
    }
  };

  const fetched = async (key: TokenKey, lease: string, fetch: () => Promise<FetchedToken>) => {
    try {
      const { token, seconds } = await fetch();
      const encryptedToken = deps.cipher().encrypt(token, identityOf(key));
      const row = { lease, encryptedToken, seconds: Math.floor(seconds) };
      if (row.seconds > 0) await deps.database.read((session) => storeToken(key.id, row, session));
      else await deps.database.read((session) => endLease(key.id, lease, session));
      return token;
    } catch (error) {
      await deps.database.read((session) => endLease(key.id, lease, session));
      throw error;
    }
  };

  /** Looks once more: the process that had the lease before may have stored a token just now. */
  const claimed = async (key: TokenKey, lease: string, { held, fetch }: Sources) => {
    const token = await held(key);
    if (token === undefined) return fetched(key, lease, fetch);
    await deps.database.read((session) => endLease(key.id, lease, session));
    return token;
  };

  const load = async (key: TokenKey, sources: Sources): Promise<string> => {
    const lease = randomUUID();
    const claim = () =>
      deps.database.read((session) => claimLease(key.id, { lease, seconds: LEASE_SECONDS }, session));
    for (let waitedMs = 0; waitedMs <= MOST_WAIT_MS; waitedMs += PAUSE_MS) {
      const token = await sources.held(key);
      if (token !== undefined) return token;
      if (await claim()) return claimed(key, lease, sources);
      await sleep(PAUSE_MS);
    }
    throw new AgentError(notFetched(key, 'another process is taking too long'));
  };

  return {
    /** Returns the token; fetches it if there is none, once for all who wait. @throws what `fetch` throws. */
    async get(key: TokenKey, fetch: () => Promise<FetchedToken>): Promise<string> {
      const known = underWay.get(key.id);
      if (known !== undefined) return known;
      const loading = load(key, { held: stored, fetch }).finally(() => underWay.delete(key.id));
      underWay.set(key.id, loading);
      return loading;
    },

    /** Fetches a new token, although there may be one, and stores it. After a failure the earlier one stays. */
    fetchNow: (key: TokenKey, fetch: () => Promise<FetchedToken>): Promise<string> =>
      load(key, { held: () => Promise.resolve(undefined), fetch }),

    /** Lets a token that was refused expire, unless it is new. Returns whether another one will be fetched. */
    renew: ({ id }: TokenKey): Promise<boolean> =>
      deps.database.read((session) => expireToken(id, RENEWED_AFTER_SECONDS, session)),
  };
}

/** A token is bound to its credential, and is no setting of it. */
function identityOf({ teamId, name }: TokenKey): CredentialIdentity {
  return { teamId, name, mode: 'token' };
}
