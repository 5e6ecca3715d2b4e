import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Problem } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import { SHOWN_SETTINGS } from '../../../people/face.js';

/** The ways in which a credential gives its secret (spec §2.7). */
export const CREDENTIAL_MODES = [
  'TEXT',
  'JWT',
  'HTTP_REQUEST_AGENT',
  'MULTI_REQUEST',
  'OAUTH',
  'AWS',
  'MTLS',
] as const;
export type CredentialMode = (typeof CREDENTIAL_MODES)[number];

/** The settings of all modes, as the API names them. Each mode has some of them. */
export interface ModeSettings {
  value?: string;
  jwt_algorithm?: string;
  jwt_payload?: JsonObject;
  jwt_private_key?: string;
  jwt_hs256_secret?: string;
  jwt_auto_generate_time_claims?: boolean;
  http_request_options?: JsonObject;
  http_request_location_of_token?: string;
  http_request_secret?: string;
  /** Seconds. */
  http_request_ttl?: number;
  credential_requests?: { options: JsonObject; http_request_secret?: string }[];
  oauth_grant_type?: 'client_credentials' | 'authorization_code';
  oauth_url?: string;
  oauth_token_url?: string;
  oauth_client_id?: string;
  oauth_client_secret?: string;
  oauth_scope?: string;
  oauth_audience?: string;
  oauth_resource?: string;
  oauthPkceCodeChallengeMethod?: 'S256' | 'plain';
  aws_authentication_type?: 'KEY' | 'ROLE';
  aws_access_key?: string;
  aws_secret_key?: string;
  aws_assumed_role_arn?: string;
  aws_assumed_role_external_id?: string;
  mtls_client_certificate?: string;
  mtls_client_private_key?: string;
  mtls_root_certificate?: string;
  /** Set by the server alone. */
  grant?: StoredGrant;
}

/** Tokens of the access that a person has allowed (RFC 6749 §5.1). */
export interface StoredGrant {
  accessToken: string;
  refreshToken?: string;
  /** Absent: it has no end. */
  expiresAtMs?: number;
}

/** The settings that a request may name. */
export type SettingName = Exclude<keyof ModeSettings, 'grant'>;

interface Mode {
  required: readonly SettingName[];
  optional: readonly SettingName[];
}

const MODES: Record<CredentialMode, Mode> = {
  TEXT: { required: ['value'], optional: [] },
  JWT: {
    required: ['jwt_payload'],
    optional: ['jwt_algorithm', 'jwt_private_key', 'jwt_hs256_secret', 'jwt_auto_generate_time_claims'],
  },
  HTTP_REQUEST_AGENT: {
    required: ['http_request_options', 'http_request_location_of_token'],
    optional: ['http_request_secret', 'http_request_ttl'],
  },
  MULTI_REQUEST: {
    required: ['credential_requests', 'http_request_location_of_token'],
    optional: ['http_request_ttl'],
  },
  OAUTH: {
    required: ['oauth_token_url', 'oauth_client_id', 'oauth_grant_type'],
    optional: [
      'oauth_url',
      'oauth_client_secret',
      'oauth_scope',
      'oauth_audience',
      'oauth_resource',
      'oauth_audience',
      'oauth_resource',
      'oauthPkceCodeChallengeMethod',
    ],
  },
  AWS: {
    required: ['aws_access_key', 'aws_secret_key'],
    optional: ['aws_authentication_type', 'aws_assumed_role_arn', 'aws_assumed_role_external_id'],
  },
  MTLS: {
    required: [],
    optional: ['mtls_client_certificate', 'mtls_client_private_key', 'mtls_root_certificate'],
  },
};

/** Returns the settings that may be shown. */
export function publicSettings(settings: ModeSettings): JsonObject {
  const shown = SHOWN_SETTINGS.filter((name) => settings[name] !== undefined);
  return Object.fromEntries(shown.map((name) => [name, settings[name]])) as JsonObject;
}

/** The settings that an allowed access holds for; another value ends it. */
const OF_GRANT: readonly SettingName[] = [
  'oauth_client_id',
  'oauth_token_url',
  'oauth_url',
  'oauth_scope',
  'oauth_audience',
  'oauth_resource',
  'oauth_grant_type',
];

/**
 * Returns the settings after a change. A grant is given up with the settings that it was for, and if the change allows
 * another host: a person has allowed it for the hosts of that time.
 */
export function mergedSettings(
  before: ModeSettings,
  given: Partial<ModeSettings>,
  isWider: boolean,
): ModeSettings {
  const merged = { ...before, ...given };
  if (!isWider && OF_GRANT.every((name) => merged[name] === before[name])) return merged;
  const { grant: _, ...rest } = merged;
  return rest;
}

/** Returns the settings without those that clients send with every mode, where the mode has no such setting. */
export function settingsOfMode(mode: CredentialMode, given: Partial<ModeSettings>): Partial<ModeSettings> {
  const { jwt_auto_generate_time_claims: _, ...rest } = given;
  return mode === 'JWT' ? given : rest;
}

/** Returns the problems of the settings that a request names: those of another mode. */
export function foreignSettings(mode: CredentialMode, given: Partial<ModeSettings>): Problem[] {
  const { required, optional } = MODES[mode];
  return Object.entries(given)
    .filter(
      ([name, value]) => value !== undefined && ![...required, ...optional].includes(name as SettingName),
    )
    .map(([name]) => ({ message: `"${name}" is not allowed with the mode "${mode}"`, details: name }));
}

/** Returns the problems of the whole settings of a mode: what is missing, and what does not fit together. */
export function modeSettingsProblems(mode: CredentialMode, settings: Partial<ModeSettings>): Problem[] {
  const missing = MODES[mode].required
    .filter((name) => settings[name] === undefined)
    .map((name) => required(name, `with the mode "${mode}"`));
  return [...missing, ...further(mode, settings)];
}

function further(mode: CredentialMode, settings: Partial<ModeSettings>): Problem[] {
  if (mode === 'OAUTH' && settings.oauth_grant_type === 'authorization_code') {
    return settings.oauth_url === undefined ? [required('oauth_url', 'for authorization_code')] : [];
  }
  if (mode === 'OAUTH' && settings.oauth_grant_type === 'client_credentials') {
    const { oauth_client_secret: secret } = settings;
    return secret === undefined ? [required('oauth_client_secret', 'for client_credentials')] : [];
  }
  if (mode === 'AWS' && settings.aws_authentication_type === 'ROLE') {
    return settings.aws_assumed_role_arn === undefined
      ? [required('aws_assumed_role_arn', 'for a ROLE')]
      : [];
  }
  if (mode === 'MTLS') return certificateProblems(settings);
  return mode === 'JWT' ? keyProblems(settings) : [];
}

/**
 * The certificate of an authority may stand alone: it is trusted then, and nothing is shown. The library's message is left
 * out: it may say what the key holds.
 */
function certificateProblems(settings: Partial<ModeSettings>): Problem[] {
  const { mtls_client_certificate: cert, mtls_client_private_key: key, mtls_root_certificate: ca } = settings;
  if (cert === undefined && key === undefined && ca !== undefined) return authorityProblems(ca);
  if (cert === undefined || key === undefined) {
    const names = ['mtls_client_certificate', 'mtls_client_private_key'] as const;
    return names.filter((name) => settings[name] === undefined).map((name) => required(name, WITH_MTLS));
  }
  try {
    createSecureContext({ cert, key, ...(ca !== undefined && { ca }) });
    return [];
  } catch {
    return [
      {
        message:
          '"mtls_client_certificate" and "mtls_client_private_key" must be a certificate and its key in PEM format',
        details: 'mtls_client_certificate',
      },
    ];
  }
}

const WITH_MTLS = 'with the mode "MTLS", unless mtls_root_certificate stands alone';

function authorityProblems(ca: string): Problem[] {
  try {
    return new X509Certificate(ca).ca ? [] : [NO_AUTHORITY];
  } catch {
    return [NO_AUTHORITY];
  }
}

const NO_AUTHORITY = {
  message: '"mtls_root_certificate" must be a CA certificate in PEM format',
  details: 'mtls_root_certificate',
};

function keyProblems({ jwt_private_key: key, jwt_hs256_secret: secret }: Partial<ModeSettings>): Problem[] {
  if (key === undefined && secret === undefined) {
    const message = '"jwt_private_key" or "jwt_hs256_secret" is required with the mode "JWT"';
    return [{ message, details: 'jwt_private_key' }];
  }
  if (key === undefined || secret === undefined) return [];
  return [
    { message: '"jwt_hs256_secret" cannot be combined with "jwt_private_key"', details: 'jwt_hs256_secret' },
  ];
}

function required(name: SettingName, when: string): Problem {
  return { message: `"${name}" is required ${when}`, details: name };
}

/** Returns the parameters that tell a server of OAuth what a token is for (RFC 6749 §3.3, RFC 8707). */
export function purposeOf(settings: ModeSettings): Record<string, string> {
  const { oauth_scope: scope, oauth_audience: audience, oauth_resource: resource } = settings;
  return {
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(resource !== undefined && { resource }),
  };
}
