import { randomUUID } from 'node:crypto';
import { PermanentJobError } from '../../../platform/errors.js';
import type { AwsKeys } from '../../../platform/outbound/aws-signature.js';
import type { ClientCertificate, HttpClient } from '../../../platform/outbound/http-exchange.js';
import { modeSettingsIn } from '../credential-plan.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { SealedSecret } from '../credential-service.js';
import { type ModeSettings, purposeOf } from '../modes/credential-modes.js';
import type { OauthGrants } from '../oauth/oauth-grants.js';
import { personToken } from '../oauth/person-token.js';
import { assumeRole, ownKeys } from './aws-keys.js';
import { httpToken } from './http-token.js';
import { jwtToken } from './jwt-token.js';
import { oauthGrant } from './oauth-token.js';
import type { FetchedToken, TokenCache } from './token-cache.js';
import type { TokenOwner } from './token-request.js';

/** The secret that a client sends for a credential. */
export interface Obtained {
  /** The text in place of a reference. For keys of AWS and certificates a mark that no one else knows, not a secret. */
  text: string;
  /** Signs the request that has `text` as its authorization. */
  aws?: AwsKeys;
  /** Is shown by the request that has `text` as its option `mutual_tls`. */
  tls?: ClientCertificate;
  /** Lets a token that was refused expire, unless it is new. Returns whether another one will be fetched. */
  renew?: () => Promise<boolean>;
}

/** Gives what a client sends for credentials of other modes than `TEXT`. */
export interface SecretSource {
  /** @throws AgentError and PermanentJobError, without any secret. */
  obtain(secret: SealedSecret, tenantId: number): Promise<Obtained>;
}

/** A token is replaced this long before it expires. */
const MARGIN_SECONDS = 30;
/** For tokens whose server does not say for how long they hold. */
const UNSAID_SECONDS = 10 * 60;
const LONGEST_SECONDS = 24 * 60 * 60;

/** Returns the source over the network and the stored tokens. */
export function createSecretSource(deps: {
  http: HttpClient;
  tokens: Pick<TokenCache, 'get' | 'renew'>;
  grants: OauthGrants;
}): SecretSource {
  const { http, tokens, grants } = deps;
  const cached = async (secret: SealedSecret, fetch: () => Promise<FetchedToken>): Promise<Obtained> => ({
    text: await tokens.get(secret, fetch),
    renew: () => tokens.renew(secret),
  });
  const personal = async (secret: SealedSecret, owner: TokenOwner & { tenantId: number }) => ({
    text: await tokens.get(secret, () => personToken(secret.id, { owner, http, grants })),
    async renew() {
      if (!(await tokens.renew(secret))) return false;
      await grants.expire(secret.id);
      return true;
    },
  });
  return {
    async obtain(secret, tenantId) {
      const settings = modeSettingsIn(secret.mode, secret.open());
      const owner = { name: secret.name, allowedHosts: secret.allowedHosts, tenantId };
      switch (secret.mode) {
        case 'TEXT':
          return { text: settings.value ?? '' };
        case 'JWT':
          return { text: jwtToken(secret.name, settings, Date.now()) };
        case 'MTLS':
          return { text: mark(), tls: certificateOf(settings) };
        case 'AWS': {
          if (settings.aws_authentication_type !== 'ROLE') return { text: mark(), aws: ownKeys(settings) };
          const { text: keys, ...rest } = await cached(secret, () => assumeRole(settings, owner, http));
          return { ...rest, text: mark(), aws: parseJson(keys) as unknown as AwsKeys };
        }
        case 'OAUTH': {
          if (settings.oauth_grant_type === 'authorization_code') return personal(secret, owner);
          const parameters = { grant_type: 'client_credentials', ...purposeOf(settings) };
          return cached(secret, async () => {
            const grant = await oauthGrant(settings, parameters, { owner, http });
            return { token: grant.accessToken, seconds: lifeOf(grant.expiresInSeconds) };
          });
        }
        case 'HTTP_REQUEST_AGENT':
        case 'MULTI_REQUEST': {
          const { http_request_ttl: seconds } = settings;
          const fetch = () => httpToken(settings, owner, http);
          if (seconds === undefined) return { text: await fetch() };
          return cached(secret, async () => ({ token: await fetch(), seconds }));
        }
        default:
          throw new PermanentJobError(`The mode of the credential "${secret.name}" is unknown`);
      }
    },
  };
}

function mark(): string {
  return `fabula-mark-${randomUUID()}`;
}

function lifeOf(seconds = UNSAID_SECONDS): number {
  return Math.min(Math.max(seconds - MARGIN_SECONDS, seconds / 2), LONGEST_SECONDS);
}

function certificateOf(settings: ModeSettings): ClientCertificate {
  const { mtls_client_certificate: cert, mtls_client_private_key: key, mtls_root_certificate: ca } = settings;
  return {
    ...(cert !== undefined && key !== undefined && { cert, key }),
    ...(ca !== undefined && { ca }),
  };
}
