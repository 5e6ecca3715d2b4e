import type { ClientCall } from '../../../support/clients.js';

const RESOURCE = ['id', 'name', 'value', 'team_id', 'slug', 'read_access', 'shared_team_slugs'];
const KEY = ['id', 'name', 'mode', 'team_id', 'slug', 'read_access', 'allowed_hosts', 'metadata'];
const part = (verb: string, label: string, of: string, body: object): ClientCall => ({
  call: `POST /global_resources/{id}/${verb}${label}`,
  path: ({ [of]: id }) => `/global_resources/${id}/${verb}`,
  body: () => body,
  status: 200,
});
const make = (as: string, value: unknown, more: object = {}): ClientCall => ({
  call: `POST /global_resources of ${as}`,
  path: () => '/global_resources',
  body: ({ team }) => ({ name: `tapi ${as}`, value, team_id: team, read_access: 'TEAM', ...more }),
  status: 201,
  reads: RESOURCE,
  keeps: { as, from: 'id' },
});

const RESOURCES: ClientCall[] = [
  make('text', 'x', { description: 'd' }),
  make('formula', '={"key":"value"}'),
  make('list', [1]),
  make('object', { a: '1', b: '2' }),
  make('blank', ''),
  make('global', 'x', { read_access: 'GLOBAL' }),
  {
    ...make('shared', 'x'),
    body: ({ team, slug }) => ({
      name: 'tapi shared',
      value: 'x',
      team_id: team,
      read_access: 'SPECIFIC_TEAMS',
      shared_team_slugs: [slug],
    }),
  },
  {
    call: 'POST /global_resources for a test value',
    path: () => '/global_resources',
    body: ({ team, text }) => ({
      name: 'tapi text',
      value: 'test',
      team_id: team,
      read_access: 'TEAM',
      live_resource_id: text,
    }),
    status: 201,
    reads: ['id'],
  },
  {
    call: 'GET /global_resources/{id}',
    path: ({ text }) => `/global_resources/${text}`,
    status: 200,
    reads: RESOURCE,
  },
  {
    call: 'GET /global_resources',
    path: ({ team }) => `/global_resources?team_id=${team}&per_page=10&page=1`,
    status: 200,
    reads: ['global_resources.0.id', 'meta.count'],
  },
  {
    call: 'GET /global_resources by folder_id',
    path: ({ folder_RESOURCE }) => `/global_resources?folder_id=${folder_RESOURCE}&per_page=10&page=1`,
    status: 200,
    reads: ['global_resources'],
  },
  {
    call: 'PUT /global_resources/{id}',
    path: ({ text }) => `/global_resources/${text}`,
    body: ({ folder_RESOURCE }) => ({
      value: 'new',
      name: 'tapi renamed',
      folder_id: folder_RESOURCE,
      description: 'd',
    }),
    status: 200,
    reads: ['value'],
  },
  {
    call: 'PUT /global_resources/{id} with is_test',
    path: ({ text }) => `/global_resources/${text}`,
    body: () => ({ value: 'test', test_resource_enabled: true, is_test: true }),
    status: 200,
    reads: ['test_resource.value'],
  },
  part('append', ' of a text', 'blank', { value: 'added' }),
  part('append', ' of a list', 'list', { value: 'added' }),
  part('append', ' with index', 'list', { value: 'new-value', index: '0' }),
  part('append', ' with is_test', 'text', { value: 'added', is_test: true }),
  part('remove', ' by key', 'object', { key: 'a' }),
  part('remove', ' by index', 'list', { index: 1 }),
  part('replace', '', 'object', { key: 'b', value: '3' }),
  { call: 'DELETE /global_resources/{id}', path: ({ text }) => `/global_resources/${text}`, status: 204 },
];

const credential = (mode: string, own: object): ClientCall => ({
  call: `POST /user_credentials of mode ${mode}`,
  path: () => '/user_credentials',
  body: ({ team, folder_CREDENTIAL }) => ({
    name: `tapi ${mode}`,
    team_id: team,
    ...own,
    folder_id: folder_CREDENTIAL,
    read_access: 'TEAM',
    description: 'd',
    metadata: { a: '1' },
    allowed_hosts: ['example.com'],
    mode,
  }),
  status: 201,
  reads: KEY,
  keeps: { as: mode, from: 'id' },
});
const REQUEST = { url: 'https://example.com/token', method: 'post', payload: { a: '1' } };
const TOKEN = '=http_request.body.token';

const CREDENTIALS: ClientCall[] = [
  credential('TEXT', { value: 'secret' }),
  credential('AWS', {
    aws_authentication_type: 'KEY',
    aws_access_key: 'AKIAIOSFODNN7EXAMPLE',
    aws_secret_key: 'secret',
  }),
  credential('HTTP_REQUEST_AGENT', {
    http_request_options: REQUEST,
    http_request_location_of_token: TOKEN,
    http_request_secret: 'secret',
    http_request_ttl: 60,
    content_type: 'json',
  }),
  credential('JWT', {
    jwt_algorithm: 'HS256',
    jwt_payload: { iss: 'tapi' },
    jwt_auto_generate_time_claims: true,
    jwt_private_key: 'a secret that is long enough for it',
  }),
  credential('MULTI_REQUEST', {
    http_request_location_of_token: TOKEN,
    credential_requests: [{ options: REQUEST, http_request_secret: 'secret' }],
    http_request_ttl: 60,
    content_type: 'json',
  }),
  credential('OAUTH', {
    oauth_url: 'https://example.com/authorize',
    oauth_token_url: 'https://example.com/token',
    oauth_client_id: 'id',
    oauth_client_secret: 'secret',
    oauth_scope: 'read',
    oauth_grant_type: 'client_credentials',
    oauthPkceCodeChallengeMethod: 'S256',
  }),
  {
    call: 'GET /user_credentials/{id}',
    path: ({ TEXT }) => `/user_credentials/${TEXT}`,
    status: 200,
    reads: KEY,
  },
  {
    call: 'GET /user_credentials',
    path: ({ team, folder_CREDENTIAL }) =>
      `/user_credentials?folder_id=${folder_CREDENTIAL}&team_id=${team}&per_page=10&page=1`,
    status: 200,
    reads: ['user_credentials.0.id', 'meta.count'],
  },
  {
    call: 'PUT /user_credentials/{id}',
    path: ({ TEXT }) => `/user_credentials/${TEXT}`,
    body: () => ({ mode: 'TEXT', name: 'tapi renamed', description: 'new', value: 'other' }),
    status: 200,
    reads: ['name'],
  },
  {
    call: 'PUT /user_credentials/{id} of mode AWS',
    path: ({ AWS }) => `/user_credentials/${AWS}`,
    body: () => ({
      mode: 'AWS',
      metadata: { b: '2' },
      allowed_hosts: ['example.org'],
      aws_secret_key: 'secret',
    }),
    status: 200,
    reads: ['metadata'],
  },
  { call: 'DELETE /user_credentials/{id}', path: ({ TEXT }) => `/user_credentials/${TEXT}`, status: 204 },
];

/** Resources and credentials. */
export const VALUE_CALLS: readonly ClientCall[] = [...RESOURCES, ...CREDENTIALS];
