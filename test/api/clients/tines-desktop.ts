import type { Client, ClientCall, Ids } from '../../support/clients.js';

const story = ({ story: id }: Ids) => `/stories/${id}`;
const action = ({ action: id }: Ids) => `/actions/${id}`;

/** Keys of an action that the board and the debugger read. */
const ACTION = ['id', 'name', 'type', 'options', 'sources', 'receivers', 'story_id', 'guid', 'position'];
/** Keys that the debugger reads of a live action. */
const LIVE = [
  'logs_count',
  'last_event_at',
  'last_error_log_at',
  'monitor_failures',
  'pending_action_runs_count',
];

const BOARD: ClientCall[] = [
  {
    call: 'GET /teams',
    path: () => '/teams?include_personal_teams=true',
    status: 200,
    reads: ['teams.0.id', 'teams.0.name'],
  },
  {
    call: 'GET /stories',
    path: ({ team }) => `/stories?team_id=${team}&per_page=500`,
    status: 200,
    reads: ['stories.0.id', 'stories.0.name', 'stories.0.locked'],
  },
  {
    call: 'GET /stories/{id}',
    path: (ids) => `${story(ids)}?include_live_activity=true`,
    status: 200,
    reads: [
      'not_working_actions_count',
      'pending_action_runs_count',
      'concurrent_runs_count',
      'tokens_used_percentage',
    ],
  },
  {
    call: 'GET /actions of a story',
    path: ({ story: id }) =>
      `/actions?story_id=${id}&story_mode=LIVE&per_page=500&include_live_activity=true`,
    status: 200,
    reads: [...ACTION, ...LIVE].map((key) => `agents.0.${key}`),
    keeps: { as: 'action', from: 'agents.0.id' },
  },
  {
    call: 'GET /actions of a team',
    path: ({ team }) => `/actions?team_id=${team}&per_page=500`,
    status: 200,
    reads: ['agents.0.id', 'agents.0.story_id'],
  },
  {
    call: 'GET /actions/{id}',
    path: action,
    status: 200,
    reads: ACTION,
    keeps: { as: 'address', from: 'options.path' },
  },
  {
    call: 'GET /actions/{id} live',
    path: (ids) => `${action(ids)}?include_live_activity=true`,
    status: 200,
    reads: LIVE,
    keeps: { as: 'secret', from: 'options.secret' },
  },
  {
    call: 'GET /actions/{id} whether it works',
    path: (ids) => `${action(ids)}?include_live_activity=true`,
    status: 200,
    reads: ['not_working'],
  },
  { call: 'GET /stories/{id}/drafts', path: (ids) => `${story(ids)}/drafts`, status: 200, reads: ['drafts'] },
];

const RUNS: ClientCall[] = [
  {
    call: 'POST /actions/{id}/run',
    path: (ids) => `${action(ids)}/run`,
    body: () => ({}),
    status: 201,
    keeps: { as: 'event', from: 'event_id' },
  },
  {
    call: 'POST /actions/{id}/dry_run',
    path: (ids) => `${action(ids)}/dry_run`,
    body: () => ({}),
    status: 200,
  },
  {
    call: 'GET /actions/{id}/events',
    path: (ids) => `${action(ids)}/events?per_page=5`,
    status: 200,
    reads: ['events.0.id', 'events.0.created_at', 'events.0.payload', 'events.0.previous_event_ids'],
  },
  {
    call: 'GET /actions/{id}/logs',
    path: (ids) => `${action(ids)}/logs?per_page=20`,
    status: 200,
    reads: ['action_logs'],
  },
  {
    call: 'GET /stories/{id}/runs',
    path: (ids) => `${story(ids)}/runs?story_mode=LIVE&per_page=20`,
    status: 200,
    reads: ['start_time', 'end_time', 'duration', 'event_count', 'action_count'].map(
      (key) => `story_runs.0.${key}`,
    ),
    keeps: { as: 'run', from: 'story_runs.0.guid' },
  },
  {
    call: 'GET /stories/{id}/runs/{guid}',
    path: (ids) => `${story(ids)}/runs/${ids.run}`,
    status: 200,
    reads: ['story_run_events.0.id', 'story_run_events.0.action_id', 'story_run_events.0.created_at'],
  },
  {
    call: 'GET /events',
    path: ({ story: id }) => `/events?story_id=${id}&story_mode=LIVE&per_page=50`,
    status: 200,
    reads: ['events.0.id', 'events.0.story_run_guid'],
  },
  {
    call: 'GET /events/{id}',
    path: ({ event }) => `/events/${event}`,
    status: 200,
    reads: ['payload', 'created_at', 'story_run_guid'],
  },
];

const EDITOR: ClientCall[] = [
  { call: 'PUT /stories/{id}', path: story, body: () => ({ locked: true }), status: 200, reads: ['locked'] },
  {
    call: 'PUT /stories/{id} unlock',
    path: story,
    body: () => ({ locked: false }),
    status: 200,
    reads: ['locked'],
  },
  {
    call: 'POST /stories',
    body: ({ team }) => ({ name: 'From the desktop', team_id: team }),
    status: 201,
    reads: ['id', 'name'],
  },
  {
    call: 'POST /actions',
    body: (ids) => ({
      name: 'Fetch',
      type: 'Agents::HTTPRequestAgent',
      story_id: ids.story,
      options: { url: 'https://example.com', method: 'get' },
      position: { x: 0, y: 300 },
    }),
    status: 201,
    reads: ['id'],
    keeps: { as: 'made', from: 'id' },
  },
  ...[
    { options: { url: 'https://example.org', method: 'get' } },
    { position: { x: 30, y: 60 } },
    { name: 'Renamed' },
  ].map(
    (body): ClientCall => ({
      call: `PUT /actions/{id} ${Object.keys(body)[0]}`,
      path: ({ made }) => `/actions/${made}`,
      body: () => body,
      status: 200,
      reads: ['id', Object.keys(body)[0]!],
    }),
  ),
  {
    call: 'PUT /actions/{id} source_ids',
    path: ({ made }) => `/actions/${made}`,
    body: ({ action: id }) => ({ source_ids: [id] }),
    status: 200,
    reads: ['sources.0'],
  },
  { call: 'DELETE /actions/{id}', path: ({ made }) => `/actions/${made}`, status: 204 },
  {
    call: 'GET /user_credentials',
    path: ({ team }) => `/user_credentials?team_id=${team}&per_page=100`,
    status: 200,
    reads: ['user_credentials'],
  },
  {
    call: 'POST /webhook/{path}/{secret}',
    path: ({ address, secret }) => `/webhook/${address}/${encodeURIComponent(secret!)}`,
    body: () => ({ host: 'web-1' }),
    status: 201,
  },
  {
    call: 'POST /graphql',
    body: () => ({ query: '{ stories { nodes { id } } }' }),
    status: 404,
    not: 'use the REST API',
  },
];

/** A desktop program that shows boards and runs, and edits them; a page of a browser sends its requests. */
export const tinesDesktop: Client = {
  name: 'tines-desktop',
  headers: (key) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: '*/*',
    origin: 'http://localhost:5173',
  }),
  calls: [...BOARD, ...RUNS, ...EDITOR],
};
