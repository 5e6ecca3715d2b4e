import type { UserCredential } from '../../../../clients/typescript/api.js';

/** How a credential gives its secret; `FABULA` holds an API key of this server. */
export type Kind = UserCredential['mode'] | 'FABULA';

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
  label: 'Place of the token in the response',
  isRequired: true,
  note: '=response.body.access_token',
};
const tokenSeconds: Setting = {
  name: 'http_request_ttl',
  label: 'Seconds for which a token is used again',
  input: 'number',
};

/** All kinds, the most used first. */
export const KINDS: Readonly<Record<Kind, KindWords>> = {
  TEXT: {
    name: 'Text',
    about: 'A token, a password or a key that is sent as it is.',
    settings: [{ name: 'value', label: 'Secret', isSecret: true, input: 'lines', isRequired: true }],
  },
  FABULA: {
    name: 'Fabula',
    about: 'A key of this server, with which stories call its API. It is made here, and nobody sees it.',
    settings: [],
  },
  OAUTH: {
    name: 'OAuth 2.0',
    about: 'An access token that is fetched and refreshed by itself.',
    settings: [
      {
        name: 'oauth_grant_type',
        label: 'Grant',
        options: ['client_credentials', 'authorization_code'],
        isRequired: true,
        note: 'With authorization_code a person allows the access once.',
      },
      { name: 'oauth_token_url', label: 'Address of tokens', isRequired: true },
      { name: 'oauth_url', label: 'Address where a person allows the access' },
      { name: 'oauth_client_id', label: 'Client id', isRequired: true },
      { name: 'oauth_client_secret', label: 'Client secret', isSecret: true },
      { name: 'oauth_scope', label: 'Scope' },
      { name: 'oauth_audience', label: 'Audience' },
      { name: 'oauth_resource', label: 'Resource' },
      { name: 'oauthPkceCodeChallengeMethod', label: 'PKCE', options: ['', 'S256', 'plain'] },
    ],
  },
  JWT: {
    name: 'JWT',
    about: 'A token that is signed at the moment of each request.',
    settings: [
      { name: 'jwt_payload', label: 'Claims', isSecret: true, input: 'json', isRequired: true },
      {
        name: 'jwt_algorithm',
        label: 'Algorithm',
        options: ['', 'RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'HS256', 'HS512'],
      },
      { name: 'jwt_private_key', label: 'Private key (PEM)', isSecret: true, input: 'lines' },
      { name: 'jwt_hs256_secret', label: 'Or the secret of an HS algorithm', isSecret: true },
      { name: 'jwt_auto_generate_time_claims', label: 'Add the time claims by itself', input: 'tick' },
    ],
  },
  HTTP_REQUEST_AGENT: {
    name: 'HTTP request',
    about: 'A token that one request fetches.',
    settings: [
      {
        name: 'http_request_options',
        label: 'Request',
        isSecret: true,
        input: 'json',
        isRequired: true,
        note: 'The options of an HTTP action; <<secret>> stands for the secret below.',
      },
      tokenPlace,
      { name: 'http_request_secret', label: 'Secret', isSecret: true },
      tokenSeconds,
    ],
  },
  MULTI_REQUEST: {
    name: 'Several requests',
    about: 'A token that up to five requests fetch, one after the other.',
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
    about: 'It signs requests to Amazon Web Services.',
    settings: [
      { name: 'aws_access_key', label: 'Access key id', isRequired: true },
      { name: 'aws_secret_key', label: 'Secret access key', isSecret: true, isRequired: true },
      { name: 'aws_authentication_type', label: 'Access', options: ['KEY', 'ROLE'] },
      { name: 'aws_assumed_role_arn', label: 'ARN of the role to assume' },
      { name: 'aws_assumed_role_external_id', label: 'External id of the role' },
    ],
  },
  MTLS: {
    name: 'Client certificate',
    about: 'The certificate that an HTTP action shows to the server, or the authority of the server alone.',
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
        label: 'Certificate of the authority (PEM)',
        isSecret: true,
        input: 'lines',
      },
    ],
  },
};

/** Returns the kind that an address names; undefined for any other text. */
export function kindIn(text: string | null): Kind | undefined {
  return text !== null && Object.hasOwn(KINDS, text) ? (text as Kind) : undefined;
}
