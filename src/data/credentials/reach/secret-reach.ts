import type { Problem } from '../../../platform/errors.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import type { CredentialMode, ModeSettings, SettingName } from '../modes/credential-modes.js';

interface Reach {
  /** Settings that nobody can read back. */
  secrets: readonly SettingName[];
  /** Settings that decide where these go, what they sign, or which part of a response a template gets. */
  directing: readonly SettingName[];
}

const REACH: Record<CredentialMode, Reach> = {
  TEXT: { secrets: ['value'], directing: [] },
  JWT: { secrets: ['jwt_private_key', 'jwt_hs256_secret'], directing: ['jwt_payload'] },
  HTTP_REQUEST_AGENT: {
    secrets: ['http_request_secret', 'http_request_options'],
    directing: ['http_request_options', 'http_request_location_of_token'],
  },
  MULTI_REQUEST: { secrets: ['credential_requests'], directing: ['http_request_location_of_token'] },
  OAUTH: { secrets: ['oauth_client_secret'], directing: ['oauth_token_url', 'oauth_url'] },
  AWS: {
    secrets: ['aws_secret_key'],
    directing: ['aws_authentication_type', 'aws_assumed_role_arn', 'aws_assumed_role_external_id'],
  },
  MTLS: { secrets: ['mtls_client_private_key'], directing: ['mtls_root_certificate'] },
};

/** Settings that mean the same when they are absent. */
const USUAL: ModeSettings = { aws_authentication_type: 'KEY' };

/** A change of a credential's settings. */
interface ReachChange {
  before: ModeSettings;
  given: Partial<ModeSettings>;
  /** Whether the change allows another host. */
  isWider: boolean;
}

/**
 * Returns the secrets that must be given again, because the change would send them to another place (spec §2.7): who manages
 * a credential must not be able to read what it holds.
 */
export function reachProblems(mode: CredentialMode, { before, given, isWider }: ReachChange): Problem[] {
  const { secrets, directing } = REACH[mode];
  const moved = directing.filter((name) => given[name] !== undefined && differ(name, before, given));
  const fields = [...(isWider ? ['allowed_hosts'] : []), ...moved];
  if (fields.length === 0) return [];
  const because = fields.map((field) => `"${field}"`).join(' and ');
  return secrets
    .filter((name) => before[name] !== undefined && given[name] === undefined)
    .map((name) => ({
      message: `"${name}" is required again, because ${because} could send it to another host`,
      details: name,
    }));
}

/** The problem of another host for a key that nobody can give again. */
export const KEY_KEEPS_HOSTS: Problem = {
  message:
    '"allowed_hosts" cannot get another host: the credential contains an API key of this server, which cannot be entered again',
  details: 'allowed_hosts',
};

function differ(name: SettingName, before: ModeSettings, given: Partial<ModeSettings>): boolean {
  const [was, is] = [before[name] ?? USUAL[name] ?? null, given[name] ?? null];
  return stringifyJson(was) !== stringifyJson(is);
}
