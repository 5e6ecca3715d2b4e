import { createHash, randomBytes } from 'node:crypto';
import { NotFound } from '../../../platform/errors.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import { CredentialCipherError, type CredentialCipher } from '../keys/credential-cipher.js';
import type { CredentialRecord } from '../credential-record-store.js';
import { type ModeSettings, purposeOf } from '../modes/credential-modes.js';
import { oauthGrant } from '../tokens/oauth-token.js';
import type { OauthGrants } from './oauth-grants.js';
import { storedGrant } from './person-token.js';

/** The parameters that a person brings back from the server where the access was allowed. */
interface ConnectState {
  id: number;
  name: string;
  tenantId: number;
  allowedHosts: string[];
  redirectUri: string;
  /** The user who asked for the address: whoever allows the access is told. */
  askedBy: string;
  /** The secret of PKCE (RFC 7636). */
  verifier: string;
  expiresAtMs: number;
}

/** The time that a person has to allow the access. */
const LIFE_MS = 15 * 60 * 1000;
const IDENTITY = { teamId: 0, name: 'state', mode: 'oauth-state' };
/** The path to which servers send people back. */
const CALLBACK_PATH = '/oauth/callback';

export type OauthConnect = ReturnType<typeof createOauthConnect>;

/** The way by which a person allows the access of a credential: an address to open, and the way back (RFC 6749 §4.1). */
export function createOauthConnect(deps: {
  grants: OauthGrants;
  http: Pick<HttpClient, 'request' | 'close'>;
  cipher(): CredentialCipher;
}) {
  return {
    /**
     * Returns the address to open, which holds for fifteen minutes; undefined for credentials that need none. The state in
     * it is encrypted: nobody can make one, and it hides the secret of PKCE.
     */
    redirectUrl(
      record: CredentialRecord,
      { baseUrl, askedBy }: { baseUrl: string; askedBy: string },
    ): string | undefined {
      const settings = record.settings as ModeSettings;
      if (record.mode !== 'OAUTH' || settings.oauth_grant_type !== 'authorization_code') return undefined;
      const { id, name, tenantId, allowedHosts } = record;
      const state: ConnectState = {
        id,
        name,
        tenantId,
        allowedHosts,
        redirectUri: `${baseUrl}${CALLBACK_PATH}`,
        askedBy,
        verifier: randomBytes(32).toString('base64url'),
        expiresAtMs: Date.now() + LIFE_MS,
      };
      return addressOf(
        settings,
        state,
        deps.cipher().encrypt(stringifyJson(state), IDENTITY).toString('base64url'),
      );
    },

    /**
     * Returns what the access is for: nothing says that the one who allowed it also asked for the address.
     * @throws NotFound for a state that this server did not make, or that is too old.
     */
    look(sealedState: string): { name: string; askedBy: string } {
      const { name, askedBy } = stateIn(sealedState, deps.cipher());
      return { name, askedBy };
    },

    /**
     * Exchanges the code for tokens and stores them.
     * @throws NotFound for a state that this server did not make, or that is too old; else as `requestToken`.
     */
    async finish(code: string, sealedState: string): Promise<{ name: string }> {
      const state = stateIn(sealedState, deps.cipher());
      const settings = await deps.grants.settings(state.id);
      if (settings === undefined) throw new NotFound('Credential');
      const parameters = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: state.redirectUri,
        ...(settings.oauthPkceCodeChallengeMethod !== undefined && { code_verifier: state.verifier }),
      };
      const grant = await oauthGrant(settings, parameters, { owner: state, http: deps.http });
      await deps.grants.connect(state.id, storedGrant(grant, Date.now()));
      return { name: state.name };
    },
  };
}

function addressOf(settings: ModeSettings, { redirectUri, verifier }: ConnectState, state: string): string {
  const { oauth_url: address = '', oauth_client_id: clientId = '' } = settings;
  const method = settings.oauthPkceCodeChallengeMethod;
  const url = new URL(address);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...purposeOf(settings),
    state,
    ...(method !== undefined && {
      code_challenge:
        method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: method,
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function stateIn(sealed: string, cipher: CredentialCipher): ConnectState {
  try {
    const state = parseJson(
      cipher.decrypt(Buffer.from(sealed, 'base64url'), IDENTITY),
    ) as unknown as ConnectState;
    if (state.expiresAtMs > Date.now()) return state;
  } catch (error) {
    if (!(error instanceof CredentialCipherError)) throw error;
  }
  throw new NotFound('State');
}
