import { NeedsPerson, PermanentJobError } from '../../../platform/errors.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import type { StoredGrant } from '../modes/credential-modes.js';
import { type OauthGrant, oauthGrant } from '../tokens/oauth-token.js';
import type { FetchedToken } from '../tokens/token-cache.js';
import { GrantEnded, notFetched, type TokenOwner } from '../tokens/token-request.js';
import type { OauthGrants } from './oauth-grants.js';

/** A token is replaced this long before it ends. */
const MARGIN_MS = 30_000;
/** A token without an end is looked at again after this time. */
const LONGEST_SECONDS = 24 * 60 * 60;

/** Returns a grant as it is stored. */
export function storedGrant(grant: OauthGrant, nowMs: number): StoredGrant {
  const { accessToken, refreshToken, expiresInSeconds: seconds } = grant;
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(seconds !== undefined && { expiresAtMs: nowMs + seconds * 1000 }),
  };
}

/**
 * Returns the access token that a person has allowed, a new one if it has ended. Call it under the token's lease.
 * @throws NeedsPerson if nobody has allowed the access, or it has ended; after three days PermanentJobError. Else as `requestToken`.
 */
export async function personToken(
  id: number,
  {
    owner,
    http,
    grants,
  }: { owner: TokenOwner & { tenantId: number }; http: HttpClient; grants: OauthGrants },
): Promise<FetchedToken> {
  const settings = await grants.settings(id);
  const grant = settings?.grant;
  if (settings === undefined) throw new PermanentJobError(notFetched(owner, 'it was deleted'));
  const needsPerson = async (said: string, reason = said) =>
    waitOrEnd(notFetched(owner, said), await grants.needPerson(id, reason));
  if (grant === undefined) throw await needsPerson(NOT_CONNECTED);
  const held = tokenIn(grant);
  if (held !== undefined) return held;
  if (grant.refreshToken === undefined) throw await needsPerson(ENDED);
  const { refreshToken } = grant;
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const granted = await oauthGrant(settings, parameters, { owner, http }).catch(async (error: unknown) => {
    if (!(error instanceof GrantEnded)) throw error;
    // It is not sent again: some servers end all access when a token comes twice.
    await grants.forget(id, refreshToken);
    throw await needsPerson(`${error.said}; ${RECONNECT}`, error.said);
  });
  const fresh = storedGrant(granted, Date.now());
  await grants.refresh(id, refreshToken, fresh);
  return tokenIn(fresh) ?? { token: fresh.accessToken, seconds: 0 };
}

/** Actions wait so long for a person, from when the first of them found that one is needed. */
const MOST_WAIT_SECONDS = 3 * 24 * 60 * 60;
/** They look again after a minute, later after up to ten. */
const LOOK_AGAIN_SECONDS = { least: 60, most: 600 };

function waitOrEnd(message: string, knownSeconds: number): NeedsPerson | PermanentJobError {
  if (knownSeconds >= MOST_WAIT_SECONDS) return new PermanentJobError(message);
  const { least, most } = LOOK_AGAIN_SECONDS;
  return new NeedsPerson(message, { waitMs: Math.min(Math.max(knownSeconds, least), most) * 1000 });
}

const RECONNECT = 'reconnect the credential: open its redirect_url';
const NOT_CONNECTED = 'access has not been authorized yet: open the redirect_url of the credential';
const ENDED = `access has expired, and there is no refresh token: ${RECONNECT}`;

function tokenIn({ accessToken, expiresAtMs }: StoredGrant): FetchedToken | undefined {
  if (expiresAtMs === undefined) return { token: accessToken, seconds: LONGEST_SECONDS };
  const leftMs = expiresAtMs - MARGIN_MS - Date.now();
  if (leftMs <= 0) return undefined;
  return { token: accessToken, seconds: Math.min(leftMs / 1000, LONGEST_SECONDS) };
}
