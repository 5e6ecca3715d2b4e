import type { UserCredential } from '../../../../clients/typescript/api.js';

/** How a credential gives its secret; `FABULA` holds an API key of this server. */
export type CredentialKind = UserCredential['mode'] | 'FABULA';

/** One setting of a kind, as a form asks for it. */
export interface Setting {
  /** Its name in the API. */
  name: string;
  label: string;
  /** Secrets are sent, and never come back. */
  isSecret?: boolean;
  input?: 'text' | 'lines' | 'json' | 'number' | 'tick';
  /** The words of the API to choose from. */
  options?: readonly string[];
  isRequired?: boolean;
  note?: string;
}

/** A kind of credential: what people call it, what it is for, and its settings. */
export interface KindWords {
  name: string;
  about: string;
  settings: readonly Setting[];
}

const tokenPlace: Setting = {
  name: 'http_request_location_of_token',
  label: 'Path of the token in the response',
  isRequired: true,
  note: '=response.body.access_token',
};
const tokenSeconds: Setting = {
  name: 'http_request_ttl',
  label: 'Token lifetime in seconds',
  input: 'number',
};

/** All kinds, the most used first. */
export const KINDS: Readonly<Record<CredentialKind, KindWords>> = {
  TEXT: {
    name: 'Text',
    about: 'A token, password or key that is sent unchanged.',
    settings: [{ name: 'value', label: 'Secret', isSecret: true, input: 'lines', isRequired: true }],
  },
  FABULA: {
    name: 'Fabula',
    about: 'An API key of this server for stories to call its API. It is created here and never shown.',
    settings: [],
  },
  OAUTH: {
    name: 'OAuth 2.0',
    about: 'An access token that is fetched and refreshed automatically.',
    settings: [
      {
        name: 'oauth_grant_type',
        label: 'Grant',
        options: ['client_credentials', 'authorization_code'],
        isRequired: true,
        note: 'With authorization_code, a user authorizes access once.',
      },
      { name: 'oauth_token_url', label: 'Token URL', isRequired: true },
      { name: 'oauth_url', label: 'Authorization URL' },
      { name: 'oauth_client_id', label: 'Client ID', isRequired: true },
      { name: 'oauth_client_secret', label: 'Client secret', isSecret: true },
      { name: 'oauth_scope', label: 'Scope' },
      { name: 'oauth_audience', label: 'Audience' },
      { name: 'oauth_resource', label: 'Resource' },
      { name: 'oauthPkceCodeChallengeMethod', label: 'PKCE', options: ['', 'S256', 'plain'] },
    ],
  },
  JWT: {
    name: 'JWT',
    about: 'A token that is signed for each request.',
    settings: [
      { name: 'jwt_payload', label: 'Claims', isSecret: true, input: 'json', isRequired: true },
      {
        name: 'jwt_algorithm',
        label: 'Algorithm',
        options: ['', 'RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'HS256', 'HS512'],
      },
      { name: 'jwt_private_key', label: 'Private key (PEM)', isSecret: true, input: 'lines' },
      { name: 'jwt_hs256_secret', label: 'Or the secret for an HS algorithm', isSecret: true },
      { name: 'jwt_auto_generate_time_claims', label: 'Add time claims automatically', input: 'tick' },
    ],
  },
  HTTP_REQUEST_AGENT: {
    name: 'HTTP request',
    about: 'A token fetched by one HTTP request.',
    settings: [
      {
        name: 'http_request_options',
        label: 'Request',
        isSecret: true,
        input: 'json',
        isRequired: true,
        note: 'Options of an HTTP request action. <<secret>> is replaced by the secret below.',
      },
      tokenPlace,
      { name: 'http_request_secret', label: 'Secret', isSecret: true },
      tokenSeconds,
    ],
  },
  MULTI_REQUEST: {
    name: 'Multiple requests',
    about: 'A token fetched by up to five requests in sequence.',
    settings: [
      {
        name: 'credential_requests',
        label: 'Requests',
        isSecret: true,
        input: 'json',
        isRequired: true,
        note: 'A list: [{"options": {…}, "http_request_secret": "…"}]',
      },
      tokenPlace,
      tokenSeconds,
    ],
  },
  AWS: {
    name: 'AWS',
    about: 'Signs requests to Amazon Web Services.',
    settings: [
      { name: 'aws_access_key', label: 'Access key ID', isRequired: true },
      { name: 'aws_secret_key', label: 'Secret access key', isSecret: true, isRequired: true },
      { name: 'aws_authentication_type', label: 'Access', options: ['KEY', 'ROLE'] },
      { name: 'aws_assumed_role_arn', label: 'ARN of the role to assume' },
      { name: 'aws_assumed_role_external_id', label: 'External ID of the role' },
    ],
  },
  MTLS: {
    name: 'Client certificate',
    about: 'A client certificate for HTTP request actions, or only a certificate authority to trust.',
    settings: [
      {
        name: 'mtls_client_certificate',
        label: 'Certificate (PEM)',
        isSecret: true,
        input: 'lines',
      },
      {
        name: 'mtls_client_private_key',
        label: 'Private key (PEM)',
        isSecret: true,
        input: 'lines',
      },
      {
        name: 'mtls_root_certificate',
        label: 'CA certificate (PEM)',
        isSecret: true,
        input: 'lines',
      },
    ],
  },
};

/** Returns the kind that an address names; undefined for any other text. */
export function kindIn(text: string | null): CredentialKind | undefined {
  return text !== null && Object.hasOwn(KINDS, text) ? (text as CredentialKind) : undefined;
}
