import { selfSigned } from '../../support/certificates.js';
import type { ClientCall } from '../../support/clients.js';
import { decodesList, type GoStruct, otherThan, undecodable } from '../../support/go-types.js';

const CREDENTIAL: GoStruct = {
  id: 'int',
  name: 'string',
  mode: 'string',
  team_id: 'int',
  folder_id: 'int',
  read_access: 'string',
  shared_team_slugs: 'strings',
  slug: 'string',
  description: 'string',
  created_at: 'string',
  updated_at: 'string',
  metadata: 'map',
  allowed_hosts: 'strings',
  restriction_type: 'string',
  test_credential_enabled: 'bool',
  is_test: 'bool',
  aws_authentication_type: 'string',
  aws_access_key: 'string',
  aws_assumed_role_arn: 'string',
  http_request_ttl: 'int',
  jwt_algorithm: 'string',
  jwt_auto_generate_time_claims: 'bool',
  oauth_url: 'string',
  oauth_client_id: 'string',
  oauth_scope: 'string',
  oauth_grant_type: 'string',
};
const KEYS =
  'id name mode team_id folder_id read_access shared_team_slugs slug description created_at updated_at metadata allowed_hosts test_credential_enabled aws_authentication_type';

const credential = (wanted: Record<string, unknown>) => ({
  reads: KEYS.split(' '),
  check: (response: object) => [...undecodable(response, CREDENTIAL), ...otherThan(response, wanted)],
});
const list = { check: decodesList('user_credentials', CREDENTIAL) };

function create(mode: string, settings: object, more?: Partial<ClientCall>): ClientCall {
  return {
    call: `POST /user_credentials (${mode})`,
    path: () => '/user_credentials',
    body: ({ team }) => ({ name: `sdk ${mode}`, mode, team_id: team, ...settings }),
    status: 201,
    ...credential({ mode }),
    keeps: { as: `credential ${mode}`, from: 'id' },
    ...more,
  };
}

const request = {
  url: 'https://example.com',
  content_type: 'json',
  method: 'post',
  payload: { key: '<<secret>>' },
};
const own = selfSigned('127.0.0.1');
/** The settings of a credential of the mode MTLS. */
export const mutualTls = {
  mtls_client_certificate: own.cert,
  mtls_client_private_key: own.key,
  mtls_root_certificate: own.cert,
};
const location = '=response.body.value';

/** The calls of credentials, of the SDK. */
export const credentialCalls: ClientCall[] = [
  create('TEXT', { value: 'value' }),
  create('AWS', { aws_authentication_type: 'KEY', aws_access_key: 'foo', aws_secret_key: 'bar' }),
  create('HTTP_REQUEST_AGENT', {
    http_request_options: request,
    http_request_location_of_token: location,
    http_request_secret: 'example',
    http_request_ttl: 60,
  }),
  create('JWT', {
    jwt_algorithm: 'HS256',
    jwt_payload: { sub: 'sdk' },
    jwt_auto_generate_time_claims: true,
    jwt_private_key: 'secret',
  }),
  create('MTLS', mutualTls),
  create('MULTI_REQUEST', {
    credential_requests: [{ options: request, http_request_secret: 'example' }],
    http_request_location_of_token: location,
    http_request_ttl: 60,
  }),
  create(
    'OAUTH',
    {
      oauth_url: 'https://auth.example.com/authorize',
      oauth_client_id: 'id',
      oauth_client_secret: 'secret',
      oauth_scope: 'read',
      oauth_grant_type: 'authorization_code',
      oauthPkceCodeChallengeMethod: 'S256',
    },
    {
      status: 422,
      reads: ['errors.0.details'],
      check: () => [],
      not: 'it has no field for `oauth_token_url`, without which there are no tokens',
    },
  ),
  {
    call: 'GET /user_credentials/{id}',
    path: (ids) => `/user_credentials/${ids['credential AWS']}`,
    status: 200,
    ...credential({ mode: 'AWS', aws_authentication_type: 'KEY' }),
  },
  {
    call: 'PUT /user_credentials/{id}',
    path: (ids) => `/user_credentials/${ids['credential TEXT']}`,
    body: (ids) => ({ id: ids['credential TEXT'], mode: 'TEXT', value: 'new' }),
    status: 200,
    ...credential({ mode: 'TEXT' }),
  },
  {
    call: 'PUT /user_credentials/{id} (test value)',
    path: (ids) => `/user_credentials/${ids['credential TEXT']}`,
    body: (ids) => ({ id: ids['credential TEXT'], mode: 'TEXT', value: 'new', is_test: true }),
    status: 200,
    ...credential({ mode: 'TEXT', test_credential_enabled: true }),
  },
  { call: 'GET /user_credentials', status: 200, ...list },
  {
    call: 'GET /user_credentials (of a team)',
    path: ({ team }) => `/user_credentials?per_page=20&team_id=${team}`,
    status: 200,
    ...list,
  },
  {
    call: 'GET /user_credentials (unrestricted)',
    path: () => '/user_credentials?filter=UNRESTRICTED',
    status: 200,
    ...list,
  },
  {
    call: 'GET /user_credentials (restricted)',
    path: () => '/user_credentials?filter=RESTRICTED',
    status: 200,
    check: (response) => otherThan(response, { user_credentials: [] }),
  },
  {
    call: 'DELETE /user_credentials/{id}',
    path: (ids) => `/user_credentials/${ids['credential AWS']}`,
    status: 204,
  },
];
