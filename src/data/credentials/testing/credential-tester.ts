import type { Actor } from '../../../api/face.js';
import { findKeyInUse } from '../../../people/face.js';
import type { Config } from '../../../config/face.js';
import { scrubSecrets } from '../../../language/face.js';
import { AgentError, NotFound, PermanentJobError, Unprocessable } from '../../../platform/errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import { createConcurrencyLimit } from '../../../platform/runtime/concurrency-limit.js';
import { hostsProblems } from '../reach/allowed-hosts-field.js';
import { type CredentialCipher, CredentialCipherError } from '../keys/credential-cipher.js';
import { modeSettingsIn } from '../credential-plan.js';
import type { CredentialRecord } from '../credential-record-store.js';
import { findSealed, type SealedCredential } from '../credential-store.js';
import { type ModeSettings, modeSettingsProblems } from '../modes/credential-modes.js';
import { createOauthGrants, type OauthGrants } from '../oauth/oauth-grants.js';
import { visibleCredential } from '../team-credential-service.js';
import { createSecretSource } from '../tokens/secret-source.js';
import { createTokenCache, type TokenCache } from '../tokens/token-cache.js';
import { type CredentialFinding, findingOf } from './credential-finding.js';
import { createCapturingClient, type CapturedResponse } from './capturing-client.js';

/** The result of a test. */
export interface CredentialTest extends CredentialFinding {
  /** The server of the token, and the status of its last response; undefined: none was asked, or none responded. */
  host: string | undefined;
  status: number | undefined;
  tookMs: number;
}

/** The credential that a request names, and whether its test value is meant. */
export interface TestedCredential {
  id: number;
  isTest: boolean;
}

/** Tests at once in this process: each may wait for a server. */
const MOST_AT_ONCE = { ofGroup: 4, ofAll: 16 };

/** Time for all requests of a test: clients of the API wait a minute. */
const TOTAL_MS = 45_000;

export interface CredentialTesterDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  http: HttpClient;
  cipher: () => CredentialCipher;
  config: Pick<Config, 'requireCredentialHosts'>;
}

export type CredentialTester = ReturnType<typeof createCredentialTester>;

/** Tests credentials as the first request of an action uses them: by the same code, with the same limits and hosts. */
export function createCredentialTester(deps: CredentialTesterDeps) {
  const { database, cipher } = deps;
  const tokens = createTokenCache({ database, cipher });
  const grants = createOauthGrants({ database, cipher });
  const limit = createConcurrencyLimit(
    MOST_AT_ONCE,
    'Too many credentials are being tested at the same time',
  );
  return {
    /** @throws NotFound, Forbidden, and Unprocessable without a test value, as `test`. */
    check: async (actor: Actor, tested: TestedCredential): Promise<void> => {
      await database.read((session) => chosenBy(actor, tested, session));
    },

    /** Returns whether the credential can be used. A token that is fetched is stored: actions use it. */
    test: (actor: Actor, tested: TestedCredential): Promise<CredentialTest> =>
      limit(actor.tenantId, async () => {
        const began = performance.now();
        const chosen = await database.read((session) => chosenBy(actor, tested, session));
        const result = await testOnce(chosen, { ...deps, tokens, grants });
        return { ...result, tookMs: Math.round(performance.now() - began) };
      }),
  };
}

interface Chosen {
  /** Its name, which that of a test value is not. */
  name: string;
  record: CredentialRecord;
  sealed: SealedCredential;
  /** Whether the API key of this server that it holds is valid; undefined: it holds none. */
  keyWorks: boolean | undefined;
}

async function chosenBy(actor: Actor, { id, isTest }: TestedCredential, session: Session): Promise<Chosen> {
  const live = await visibleCredential(actor, id, 'manage', session);
  const record = isTest ? live.test : live;
  if (record === undefined) {
    throw new Unprocessable([
      { message: '"is_test" needs a credential with a test value', details: 'is_test' },
    ]);
  }
  const sealed = await findSealed(record.id, session);
  if (sealed === undefined) throw new NotFound('Credential');
  const { apiKeyId, tenantId } = record;
  const keyWorks =
    apiKeyId === null ? undefined : ((await findKeyInUse(tenantId, apiKeyId, session))?.works ?? false);
  return { name: live.name, record, sealed, keyWorks };
}

type TestDeps = CredentialTesterDeps & { tokens: TokenCache; grants: OauthGrants };

async function testOnce(chosen: Chosen, deps: TestDeps): Promise<Omit<CredentialTest, 'tookMs'>> {
  const { record, sealed } = chosen;
  const { client, captured } = createCapturingClient(deps.http, TOTAL_MS);
  try {
    const settings = modeSettingsIn(record.mode, deps.cipher().decrypt(sealed.encryptedValue, sealed));
    const finding = await used(chosen, settings, { ...deps, http: client, captured });
    const shown = (text: string) => withoutSecrets(text, chosen.name, settings);
    const { host, status } = captured() ?? {};
    return { ...finding, message: shown(finding.message), host: host && shown(host), status };
  } catch (error) {
    if (!(error instanceof CredentialCipherError)) throw error;
    return { works: false, message: error.message, host: undefined, status: undefined };
  }
}

type UseDeps = TestDeps & { captured: () => CapturedResponse | undefined };

async function used(chosen: Chosen, settings: ModeSettings, deps: UseDeps): Promise<CredentialFinding> {
  const { record, keyWorks } = chosen;
  const { mode, allowedHosts } = record;
  const [problem] = [...hostsProblems(allowedHosts, deps.config), ...modeSettingsProblems(mode, settings)];
  if (problem !== undefined) return { works: false, message: problem.message };
  if (keyWorks !== undefined) return keyWorks ? VALID_KEY : ENDED_KEY;
  try {
    return await obtained(chosen, settings, deps);
  } catch (error) {
    if (!(error instanceof AgentError) && !(error instanceof PermanentJobError)) throw error;
    const said = error.message.replaceAll(chosen.sealed.name, chosen.name);
    return { works: false, message: said };
  }
}

/** @throws AgentError and PermanentJobError for a credential that gives nothing. */
async function obtained(
  { record, sealed }: Chosen,
  settings: ModeSettings,
  { http, tokens, grants, captured, cipher }: UseDeps,
): Promise<CredentialFinding> {
  const { mode, allowedHosts, tenantId } = record;
  let keptSeconds: number | undefined;
  const fetchNow: TokenCache['get'] = (key, fetch) =>
    tokens.fetchNow(key, async () => {
      const token = await fetch();
      keptSeconds = token.seconds;
      return token;
    });
  const source = createSecretSource({
    http,
    grants: refreshed(grants),
    tokens: { get: fetchNow, renew: () => Promise.resolve(false) },
  });
  const open = () => cipher().decrypt(sealed.encryptedValue, sealed);
  const { text } = await source.obtain({ ...sealed, mode, allowedHosts, open }, tenantId);
  return findingOf({ mode, settings, text, keptSeconds, captured: captured(), nowMs: Date.now() });
}

const VALID_KEY: CredentialFinding = {
  works: true,
  message: 'It contains a valid API key of this server.',
};
const ENDED_KEY: CredentialFinding = {
  works: false,
  message: 'It contains an API key of this server that was revoked or has expired.',
};

/** Returns the grants, each as if its access token had ended, if there is a refresh token to be tried. */
function refreshed(grants: OauthGrants): OauthGrants {
  return {
    ...grants,
    async settings(id) {
      const found = await grants.settings(id);
      if (found?.grant?.refreshToken === undefined) return found;
      return { ...found, grant: { ...found.grant, expiresAtMs: 0 } };
    },
  };
}

/** A host may be made of a secret: messages name hosts. */
function withoutSecrets(message: string, name: string, settings: ModeSettings): string {
  const { http_request_secret: own, credential_requests: several = [] } = settings;
  return [own, ...several.map((request) => request.http_request_secret)]
    .filter((secret) => secret !== undefined)
    .reduce((said, secret) => scrubSecrets(said, new Map([[name, secret]])), message);
}
