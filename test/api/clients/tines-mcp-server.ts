import type { Client, ClientCall, Ids } from '../../support/clients.js';
import { smallExport } from '../../support/stories.js';

const story = (ids: Ids) => `/stories/${ids.story}`;
const drafts = (ids: Ids) => `${story(ids)}/drafts`;
const draft = (ids: Ids) => `${drafts(ids)}/${ids.draft}`;
const PAGE = 'page=1&per_page=20';

/** A list that is read page by page, handed on as it is. */
const list = (name: string, key: string): ClientCall => ({
  call: `GET /${name}`,
  path: ({ team }) => `/${name}?${PAGE}&team_id=${team}`,
  status: 200,
  reads: [`${key}.0.id`, 'meta'],
});

const STORIES: ClientCall[] = [
  list('stories', 'stories'),
  { call: 'GET /stories/{id}', path: story, status: 200, reads: ['id'] },
  {
    call: 'POST /stories',
    body: ({ team }) => ({ name: 'New', keep_events_for: 604800, description: 'x', team_id: team }),
    status: 201,
    reads: ['id'],
    keeps: { as: 'other', from: 'id' },
  },
  {
    call: 'PUT /stories/{id}',
    path: story,
    body: () => ({ name: 'Other', description: '', keep_events_for: 86400 }),
    status: 200,
    reads: ['id', 'description'],
  },
  { call: 'DELETE /stories/{id}', path: ({ other }) => `/stories/${other}`, status: 204 },
  { call: 'GET /stories/{id}/export', path: (ids) => `${story(ids)}/export`, status: 200, reads: ['agents'] },
  {
    call: 'POST /stories/import',
    body: ({ team }) => ({ data: smallExport(), team_id: team }),
    status: 422,
    not: '`new_name` is required, and it never sends one',
  },
];

const ACTIONS: ClientCall[] = [
  {
    call: 'GET /stories/{id}/agents',
    path: (ids) => `${story(ids)}/agents`,
    status: 200,
    reads: ['agents.0.id', 'agents.1.id'],
    keeps: { as: 'webhook', from: 'agents.0.id' },
  },
  { call: 'GET /agents/{id}', path: ({ webhook }) => `/agents/${webhook}`, status: 200, reads: ['options'] },
  {
    call: 'POST /agents',
    body: (ids) => ({
      story_id: ids.story,
      type: 'Agents::TriggerAgent',
      name: 'Made',
      options: { rules: [] },
      position: { x: 0, y: 150 },
      source_ids: [ids.webhook],
    }),
    status: 201,
    reads: ['id', 'sources.0'],
    keeps: { as: 'action', from: 'id' },
  },
  {
    call: 'POST /agents without options',
    path: () => '/agents',
    body: (ids) => ({ story_id: ids.story, type: 'Agents::WebhookAgent', name: 'Bare' }),
    status: 201,
    reads: ['id', 'options.path'],
  },
  {
    call: 'PUT /agents/{id}',
    path: ({ action }) => `/agents/${action}`,
    body: () => ({ name: 'Changed', position: { x: 15, y: 15 }, source_ids: [], receiver_ids: [] }),
    status: 200,
    reads: ['sources', 'receivers'],
  },
  { call: 'DELETE /agents/{id}', path: ({ action }) => `/agents/${action}`, status: 204 },
  {
    call: 'POST /agents/{id}/run',
    path: ({ webhook }) => `/agents/${webhook}/run`,
    body: () => ({}),
    status: 201,
    keeps: { as: 'event', from: 'event_id' },
  },
  {
    call: 'POST /agents/{id}/run with its event as the body',
    path: ({ webhook }) => `/agents/${webhook}/run`,
    body: () => ({ alert: { host: 'web-1' } }),
    status: 422,
    not: 'an event stands in the key `event`: other keys may be typing errors',
  },
];

const EVENTS: ClientCall[] = [
  {
    call: 'GET /stories/{id}/events',
    path: (ids) => `${story(ids)}/events?${PAGE}`,
    status: 404,
    not: 'use GET /api/v1/events with story_id',
  },
  { call: 'GET /events/{id}', path: ({ event }) => `/events/${event}`, status: 200, reads: ['payload'] },
  { call: 'GET /agent_types', status: 200, reads: ['agent_types.0'] },
];

const THINGS: ClientCall[] = [
  {
    call: 'POST /user_credentials',
    body: ({ team }) => ({
      name: 'text',
      mode: 'TEXT',
      team_id: team,
      value: 'x',
      jwt_auto_generate_time_claims: true,
    }),
    status: 201,
    reads: ['id'],
    keeps: { as: 'credential', from: 'id' },
  },
  list('user_credentials', 'user_credentials'),
  {
    call: 'GET /user_credentials/{id}',
    path: ({ credential }) => `/user_credentials/${credential}`,
    status: 200,
    reads: ['mode'],
  },
  {
    call: 'PUT /user_credentials/{id}',
    path: ({ credential }) => `/user_credentials/${credential}`,
    body: () => ({ name: 'other', value: 'y' }),
    status: 200,
    reads: ['name'],
  },
  {
    call: 'DELETE /user_credentials/{id}',
    path: ({ credential }) => `/user_credentials/${credential}`,
    status: 204,
  },
  { call: 'GET /teams', path: () => `/teams?${PAGE}`, status: 200, reads: ['teams.0.id'] },
  { call: 'GET /teams/{id}', path: ({ team }) => `/teams/${team}`, status: 200, reads: ['name'] },
  {
    call: 'POST /folders',
    body: ({ team }) => ({ name: 'Outer', team_id: team }),
    status: 201,
    reads: ['id'],
    keeps: { as: 'folder', from: 'id' },
  },
  {
    call: 'POST /folders with a parent',
    path: () => '/folders',
    body: ({ team, folder }) => ({ name: 'Inner', team_id: team, parent_id: folder }),
    status: 201,
    reads: ['parent_folder_id'],
  },
  list('folders', 'folders'),
  { call: 'GET /folders/{id}', path: ({ folder }) => `/folders/${folder}`, status: 200, reads: ['name'] },
  list('global_resources', 'global_resources'),
  {
    call: 'POST /global_resources',
    body: ({ team }) => ({ name: 'made', value: 'x', team_id: team }),
    status: 201,
    reads: ['id'],
    keeps: { as: 'made', from: 'id' },
  },
  {
    call: 'GET /global_resources/{id}',
    path: ({ made }) => `/global_resources/${made}`,
    status: 200,
    reads: ['value'],
  },
  {
    call: 'PUT /global_resources/{id}',
    path: ({ made }) => `/global_resources/${made}`,
    body: () => ({ name: 'changed', value: 'y' }),
    status: 200,
    reads: ['value'],
  },
  { call: 'DELETE /global_resources/{id}', path: ({ made }) => `/global_resources/${made}`, status: 204 },
];

const DRAFTS: ClientCall[] = [
  {
    call: 'POST /stories/{id}/drafts',
    path: drafts,
    body: () => ({ name: 'Draft' }),
    status: 200,
    reads: ['id', 'name'],
    keeps: { as: 'draft', from: 'id' },
  },
  {
    call: 'POST /stories/{id}/drafts with a description',
    path: drafts,
    body: () => ({ name: 'Described', description: 'What it is for' }),
    status: 422,
    not: 'a draft has a name only',
  },
  { call: 'GET /stories/{id}/drafts', path: drafts, status: 200, reads: ['drafts.0.id'] },
  { call: 'GET /stories/{id}/drafts/{draft_id}', path: draft, status: 200, reads: ['id', 'name'] },
  {
    call: 'PUT /stories/{id}/drafts/{draft_id}',
    path: draft,
    body: () => ({ name: 'Renamed', description: '' }),
    status: 200,
    reads: ['name'],
  },
  {
    call: 'GET /stories/{id}/drafts/{draft_id}/agents',
    path: (ids) => `${draft(ids)}/agents`,
    status: 200,
    reads: ['agents.0.id'],
    keeps: { as: 'copy', from: 'agents.0.id' },
  },
  {
    call: 'POST /stories/{id}/drafts/{draft_id}/agents',
    path: (ids) => `${draft(ids)}/agents`,
    body: () => ({ type: 'Agents::TriggerAgent', name: 'Made', options: { rules: [] } }),
    status: 405,
    not: 'use POST /api/v1/agents with draft_id',
  },
  {
    call: 'PUT /stories/{id}/drafts/{draft_id}/agents/{agent_id}',
    path: (ids) => `${draft(ids)}/agents/${ids.copy}`,
    body: () => ({ name: 'Changed' }),
    status: 404,
    not: 'use PUT /api/v1/agents/{id}',
  },
  {
    call: 'POST /stories/{id}/drafts/{draft_id}/agents/{agent_id}/run',
    path: (ids) => `${draft(ids)}/agents/${ids.copy}/run`,
    body: () => ({}),
    status: 404,
    not: 'use POST /api/v1/agents/{id}/run',
  },
  {
    call: 'DELETE /stories/{id}/drafts/{draft_id}/agents/{agent_id}',
    path: (ids) => `${draft(ids)}/agents/${ids.copy}`,
    status: 404,
    not: 'use DELETE /api/v1/agents/{id}',
  },
  {
    call: 'POST /stories/{id}/drafts/{draft_id}/publish',
    path: (ids) => `${draft(ids)}/publish`,
    status: 200,
    reads: ['id'],
  },
  {
    call: 'POST /stories/{id}/drafts again',
    path: drafts,
    body: () => ({ name: 'Draft' }),
    status: 200,
    keeps: { as: 'draft', from: 'id' },
  },
  { call: 'DELETE /stories/{id}/drafts/{draft_id}', path: draft, status: 204 },
];

/** Tools for assistants; a response that is no success is an error with its status alone. */
export const tinesMcpServer: Client = {
  name: 'tines-mcp-server',
  headers: (key) => ({
    'x-user-token': key,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'python-httpx/0.28.1',
  }),
  calls: [...STORIES, ...ACTIONS, ...EVENTS, ...THINGS, ...DRAFTS],
};
