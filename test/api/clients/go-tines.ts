import { type Client, type ClientCall, userToken } from '../../support/clients.js';
import { type GoStruct, otherThan, undecodable } from '../../support/go-types.js';
import { mutualTls } from './go-sdk-credentials.js';

/** The types that the library decodes; it keeps other keys as they are. */
const STRUCTS = {
  teams: { id: 'int', name: 'string' },
  folders: { id: 'int', name: 'string', content_type: 'string', team_id: 'int' },
  stories: {
    id: 'int',
    user_id: 'int',
    name: 'string',
    created_at: 'time',
    updated_at: 'time',
    description: 'string',
    guid: 'string',
    send_to_story_enabled: 'bool',
    send_to_story_access: 'string',
    entry_agent_id: 'int',
    exit_agent_ids: 'ints',
    disabled: 'bool',
    keep_events_for: 'int',
    priority: 'bool',
    team_id: 'int',
    folder_id: 'int',
    slug: 'string',
  },
  agents: {
    id: 'int',
    user_id: 'int',
    name: 'string',
    type: 'string',
    options: 'map',
    position: 'map',
    schedule: 'any',
    last_receive_at: 'time',
    last_event_at: 'time',
    created_at: 'time',
    updated_at: 'time',
    keep_events_for: 'int',
    disabled: 'bool',
    guid: 'string',
    story_id: 'int',
    source_ids: 'ints',
    receiver_ids: 'ints',
    monitor_failures: 'bool',
    monitor_all_events: 'bool',
  },
  annotations: { id: 'int', story_id: 'int', content: 'string', position: 'map' },
  user_credentials: {
    id: 'int',
    name: 'string',
    mode: 'string',
    team_id: 'int',
    folder_id: 'int',
    read_access: 'string',
    value: 'string',
    jwt_algorithm: 'string',
    jwt_payload: 'string',
    jwt_auto_generate_time_claims: 'bool',
    oauth_url: 'string',
    oauth_token_url: 'string',
    oauth_client_id: 'string',
    oauth_scope: 'string',
    oauth_grant_type: 'string',
    aws_authentication_type: 'string',
    aws_access_key: 'string',
    aws_assumed_role_arn: 'string',
    aws_assumed_role_external_id: 'string',
    http_request_options: 'string',
    http_request_location_of_token: 'string',
  },
  global_resources: {
    id: 'int',
    user_id: 'int',
    name: 'string',
    value_type: 'string',
    value: 'string',
    read_access: 'string',
    created_at: 'time',
    updated_at: 'time',
    slug: 'string',
    team_id: 'int',
    folder_id: 'int',
  },
} satisfies Record<string, GoStruct>;

type Kind = keyof typeof STRUCTS;
type Body = NonNullable<ClientCall['body']>;

/** Keys that a response has in any case. */
const READS: Record<Kind, string> = {
  teams: 'id name',
  folders: 'id name content_type team_id',
  stories: 'id name user_id guid keep_events_for disabled priority team_id folder_id entry_agent_id',
  agents: 'id name type options position schedule links_to_sources keep_events_for story_id disabled guid',
  annotations: 'id story_id content position',
  user_credentials: 'id name mode team_id folder_id',
  global_resources: 'id name value_type value read_access slug team_id folder_id user_id',
};

function responses(kind: Kind, wanted: Record<string, unknown>) {
  return {
    reads: READS[kind].split(' '),
    check: (response: object) => [...undecodable(response, STRUCTS[kind]), ...otherThan(response, wanted)],
  };
}

interface Item {
  /** The id is kept under this name. */
  as: string;
  /** Stands after the call; absent: nothing. */
  what?: string;
  body: Body;
  wanted: Record<string, unknown>;
}

const named = (call: string, what: string | undefined) => (what === undefined ? call : `${call} (${what})`);

function create(kind: Kind, { as, what, body, wanted }: Item): ClientCall {
  return {
    call: named(`POST /${kind}`, what),
    path: () => `/${kind}`,
    body,
    status: 201,
    ...responses(kind, wanted),
    keeps: { as, from: 'id' },
  };
}

function read(kind: Kind, { as, what, wanted }: Omit<Item, 'body'>): ClientCall {
  return {
    call: named(`GET /${kind}/{id}`, what),
    path: (ids) => `/${kind}/${ids[as]}`,
    status: 200,
    ...responses(kind, wanted),
  };
}

function update(kind: Kind, { as, what, body, wanted }: Item): ClientCall {
  return {
    call: named(`PUT /${kind}/{id}`, what),
    path: (ids) => `/${kind}/${ids[as]}`,
    body,
    status: 200,
    ...responses(kind, wanted),
  };
}

const remove = (kind: Kind, as: string): ClientCall => ({
  call: `DELETE /${kind}/{id}`,
  path: (ids) => `/${kind}/${ids[as]}`,
  status: 204,
});

const gone = (kind: Kind, as: string): ClientCall => ({
  call: `GET /${kind}/{id} (deleted)`,
  path: (ids) => `/${kind}/${ids[as]}`,
  status: 404,
});

const places: ClientCall[] = [
  create('teams', { as: 'own', body: () => ({ name: 'Go' }), wanted: { name: 'Go' } }),
  read('teams', { as: 'own', wanted: { name: 'Go' } }),
  update('teams', { as: 'own', body: () => ({ name: 'Went' }), wanted: { name: 'Went' } }),
  create('folders', {
    as: 'folder',
    body: ({ own }) => ({ name: 'Go', content_type: 'STORY', team_id: own }),
    wanted: { name: 'Go', content_type: 'STORY' },
  }),
  read('folders', { as: 'folder', wanted: { name: 'Go' } }),
  update('folders', {
    as: 'folder',
    body: ({ own }) => ({ name: 'Went', content_type: 'STORY', team_id: own }),
    wanted: { name: 'Went' },
  }),
];

const storyBody =
  (name: string): Body =>
  ({ own, folder }) => ({
    name,
    description: 'By Go',
    keep_events_for: 604_800,
    team_id: own,
    folder_id: folder,
  });

const agentBody =
  (type: string, more: Record<string, unknown>): Body =>
  ({ made, hook }) => ({
    name: type,
    type: `Agents::${type}Agent`,
    story_id: made,
    keep_events_for: 604_800,
    disabled: false,
    // Terraform keeps the map as texts.
    position: { x: '30', y: '150' },
    ...(type === 'EventTransformation' && { source_ids: [hook] }),
    ...more,
  });
const hookOptions = { path: 'go', secret: 'open sesame', verbs: 'post' };
const transformation = { options: { mode: 'message_only', payload: { a: 1 } } };

const noteBody =
  (content: string): Body =>
  ({ made }) => ({ story_id: made, content, position: { x: 30, y: -60 } });

const board: ClientCall[] = [
  create('stories', { as: 'made', body: storyBody('Go'), wanted: { name: 'Go', keep_events_for: 604_800 } }),
  read('stories', { as: 'made', wanted: { name: 'Go', description: 'By Go' } }),
  create('agents', {
    as: 'hook',
    body: agentBody('Webhook', { options: hookOptions }),
    wanted: { position: { x: 30, y: 150 }, options: hookOptions },
  }),
  create('agents', {
    as: 'second',
    what: 'after another',
    body: agentBody('EventTransformation', transformation),
    wanted: { ...transformation, 'links_to_sources.0.type': 'DEFAULT' },
  }),
  read('agents', { as: 'second', wanted: { keep_events_for: 604_800, schedule: null } }),
  update('agents', {
    as: 'second',
    body: agentBody('EventTransformation', {
      options: { mode: 'message_only', payload: { a: 2 } },
      monitor_failures: true,
      monitor_all_events: false,
    }),
    wanted: { 'options.payload.a': 2, monitor_failures: true },
  }),
  update('agents', {
    as: 'second',
    what: 'story only',
    body: ({ made }) => ({ story_id: made, name: 'EventTransformation' }),
    wanted: { 'options.payload.a': 2 },
  }),
  update('stories', {
    as: 'made',
    what: 'send to story',
    body: ({ hook, second, own }) => ({
      name: 'Went',
      send_to_story_enabled: true,
      send_to_story_access: 'TEAM',
      entry_agent_id: hook,
      exit_agent_ids: [second],
      diagram_layout: { a: [0, 0] },
      team_id: own,
    }),
    wanted: { name: 'Went', send_to_story_enabled: true, send_to_story_access: 'TEAM' },
  }),
  create('annotations', { as: 'note', body: noteBody('# Go'), wanted: { content: '# Go' } }),
  read('annotations', { as: 'note', wanted: { position: { x: 30, y: -60 } } }),
  update('annotations', { as: 'note', body: noteBody('# Went'), wanted: { content: '# Went' } }),
  remove('annotations', 'note'),
  gone('annotations', 'note'),
  {
    call: 'POST /diagram_notes',
    body: noteBody('# Old'),
    status: 201,
    reads: ['id', 'content'],
    keeps: { as: 'old_note', from: 'id' },
  },
  {
    call: 'DELETE /diagram_notes/{id}',
    path: ({ old_note: id }) => `/diagram_notes/${id}`,
    status: 204,
  },
  remove('agents', 'second'),
  gone('agents', 'second'),
];

const credentialBody =
  (mode: string, more: Record<string, unknown>): Body =>
  ({ own }) => ({ name: `Go ${mode}`, mode, team_id: own, ...more });
const credential = (mode: string, more: Record<string, unknown>) =>
  create('user_credentials', {
    as: mode,
    what: mode,
    body: credentialBody(mode, more),
    wanted: { mode, name: `Go ${mode}` },
  });

const resourceBody =
  (value: string): Body =>
  ({ own }) => ({ name: 'Go', value_type: 'text', value, read_access: 'TEAM', team_id: own });

const values: ClientCall[] = [
  credential('TEXT', { value: 'secret' }),
  credential('JWT', { jwt_algorithm: 'HS256', jwt_payload: '{"sub":"go"}', jwt_private_key: 'secret' }),
  credential('OAUTH', {
    oauth_url: 'https://auth.example.com/authorize',
    oauth_token_url: 'https://auth.example.com/token',
    oauth_client_id: 'id',
    oauth_client_secret: 'secret',
    oauth_scope: 'read',
    oauth_grant_type: 'client_credentials',
  }),
  credential('AWS', {
    aws_authentication_type: 'ROLE',
    aws_access_key: 'id',
    aws_secret_key: 'secret',
    aws_assumed_role_arn: 'arn:aws:iam::1:role/go',
    aws_assumed_role_external_id: 'external',
  }),
  credential('HTTP_REQUEST_AGENT', {
    http_request_options: '{"url":"https://example.com","method":"post"}',
    http_request_location_of_token: '=response.body.value',
  }),
  credential('MTLS', mutualTls),
  read('user_credentials', { as: 'TEXT', wanted: { mode: 'TEXT' } }),
  update('user_credentials', {
    as: 'TEXT',
    body: credentialBody('TEXT', { value: 'other' }),
    wanted: { mode: 'TEXT' },
  }),
  ...['TEXT', 'JWT', 'OAUTH', 'AWS', 'HTTP_REQUEST_AGENT', 'MTLS'].map((mode) =>
    remove('user_credentials', mode),
  ),
  create('global_resources', { as: 'global', body: resourceBody('a'), wanted: { value: 'a' } }),
  read('global_resources', { as: 'global', wanted: { value: 'a', value_type: 'text' } }),
  update('global_resources', { as: 'global', body: resourceBody('b'), wanted: { value: 'b' } }),
  remove('global_resources', 'global'),
];

/** The older library, and the Terraform provider 0.0.x on it, which builds stories action by action. */
export const goTines: Client = {
  name: 'go-tines, Terraform provider 0.0.x',
  headers: userToken,
  calls: [
    ...places,
    ...board,
    ...values,
    remove('stories', 'made'),
    remove('folders', 'folder'),
    remove('teams', 'own'),
  ],
};
