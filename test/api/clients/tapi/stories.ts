import type { ClientCall, Ids } from '../../../support/clients.js';
import { smallExport } from '../../../support/stories.js';

const STORY = ['id', 'name', 'user_id', 'keep_events_for', 'disabled', 'priority', 'team_id', 'guid', 'slug'];
const PAGE = { per_page: 10, page: 1 };
const FILTERS = [
  'LOCKED',
  'FAVORITE',
  'DISABLED',
  'PUBLISHED',
  'API_ENABLED',
  'HIGH_PRIORITY',
  'SEND_TO_STORY_ENABLED',
  'CHANGE_CONTROL_ENABLED',
];
const ORDERS = [
  'NAME',
  'NAME_DESC',
  'RECENTLY_EDITED',
  'ACTION_COUNT_ASC',
  'ACTION_COUNT_DESC',
  'LEAST_RECENTLY_EDITED',
];

const ofMade =
  (rest = '') =>
  ({ made }: Ids) =>
    `/stories/${made}${rest}`;
const ofStory =
  (rest: string) =>
  ({ story }: Ids) =>
    `/stories/${story}${rest}`;
/** A change of a story by one key. */
const change = (key: string, value: (ids: Ids) => unknown, reads = [key]): ClientCall => ({
  call: `PUT /stories/{id} with ${key}`,
  path: ofMade(),
  body: (ids) => ({ [key]: value(ids) }),
  status: 200,
  reads,
});

const LISTS: ClientCall[] = [
  { call: 'GET /stories', body: () => PAGE, status: 200, reads: ['stories.0.id', 'meta.count'] },
  {
    call: 'GET /stories with team_id, folder_id and tags',
    path: () => '/stories',
    body: ({ team, folder }) => ({ team_id: team, folder_id: folder, tags: ['a', 'b'], ...PAGE }),
    status: 200,
    reads: ['stories'],
  },
  ...FILTERS.map((filter) => ({
    call: `GET /stories with filter ${filter}`,
    path: () => '/stories',
    body: () => ({ filter, ...PAGE }),
    status: 200,
    reads: ['stories', 'meta.pages'],
  })),
  ...ORDERS.map((order) => ({
    call: `GET /stories with order ${order}`,
    path: () => '/stories',
    body: () => ({ order, ...PAGE }),
    status: 200,
    reads: ['stories.0.name'],
  })),
];

const CHANGES: ClientCall[] = [
  change('name', () => 'Renamed'),
  change('description', () => 'By Tapi'),
  change('add_tag_names', () => ['b'], ['tags.1']),
  change('remove_tag_names', () => ['b'], ['tags.0']),
  change('keep_events_for', () => 604_800),
  change('disabled', () => true),
  change('priority', () => true),
  change('locked', () => true),
  change('locked', () => false),
  change('send_to_story_skill_use_requires_confirmation', () => false),
  change('entry_agent_id', ({ made_action }) => made_action),
  change('exit_agent_ids', ({ made_action }) => [made_action], ['exit_agents.0']),
  change('send_to_story_access_source', () => 'STS'),
  change('send_to_story_access', () => 'TEAM'),
  change('team_id', ({ team }) => team),
  change('folder_id', ({ folder }) => folder),
  change('change_control_enabled', () => true),
  change('change_control_enabled', () => false),
];

const VERSIONS: ClientCall[] = [
  {
    call: 'POST /stories/{id}/versions',
    path: ofStory('/versions'),
    body: () => ({ name: 'First' }),
    status: 200,
    reads: ['story_version.name'],
    keeps: { as: 'version', from: 'story_version.id' },
  },
  {
    call: 'GET /stories/{id}/versions/{version_id}',
    path: ({ story, version }) => `/stories/${story}/versions/${version}`,
    status: 200,
    reads: ['story_version.name', 'story_version.export_file.agents'],
  },
  {
    call: 'POST /stories/{id}/versions/{version_id}',
    path: ({ story, version }) => `/stories/${story}/versions/${version}`,
    body: () => ({ name: 'Second' }),
    status: 200,
    reads: ['story_version.name'],
  },
  {
    call: 'GET /stories/{id}/versions',
    path: ofStory('/versions'),
    body: () => PAGE,
    status: 200,
    reads: ['story_versions.0.id', 'story_versions.0.timestamp'],
  },
  {
    call: 'DELETE /stories/{id}/versions/{version_id}',
    path: ({ story, version }) => `/stories/${story}/versions/${version}`,
    status: 204,
    not: 'its test wants 200; a version that was deleted answers 204',
  },
];

const DRAFTS: ClientCall[] = [
  {
    call: 'POST /stories/{id}/drafts',
    path: ofStory('/drafts'),
    body: () => ({ name: 'Draft' }),
    status: 200,
    reads: ['id', 'name'],
    keeps: { as: 'draft', from: 'id' },
  },
  { call: 'GET /stories/{id}/drafts', path: ofStory('/drafts'), status: 200, reads: ['drafts.0.id'] },
  {
    call: 'GET /stories/{id} with draft_id',
    path: ofStory(''),
    body: ({ draft }) => ({ story_mode: '', draft_id: draft }),
    status: 200,
    reads: ['id'],
  },
  {
    call: 'DELETE /stories/{id}/drafts/{draft_id}',
    path: ({ story, draft }) => `/stories/${story}/drafts/${draft}`,
    status: 204,
  },
];

const REQUEST = ['id', 'change_request.id', 'change_request.status'];
const ask = (title?: string): ClientCall => ({
  call: `POST /stories/{id}/change_request${title === undefined ? ' without a title' : ''}`,
  path: ofStory('/change_request'),
  body: ({ request_draft }) => ({
    ...(title !== undefined && { title }),
    description: 'Why',
    draft_id: request_draft,
  }),
  status: 200,
  reads: [...REQUEST, 'change_request.name'],
  keeps: { as: 'request', from: 'change_request.id' },
});
const decide = (verb: string, more: Partial<ClientCall>): ClientCall => ({
  call: `POST /stories/{id}/change_request/${verb}`,
  path: ofStory(`/change_request/${verb}`),
  body: ({ request }) => ({ change_request_id: request }),
  status: 200,
  ...more,
});

const REQUESTS: ClientCall[] = [
  {
    call: 'PUT /stories/{id} for change requests',
    path: ofStory(''),
    body: () => ({ change_control_enabled: true }),
    status: 200,
  },
  {
    call: 'POST /stories/{id}/drafts for change requests',
    path: ofStory('/drafts'),
    body: () => ({ name: 'Asked' }),
    status: 200,
    keeps: { as: 'request_draft', from: 'id' },
  },
  ask('First'),
  {
    call: 'GET /stories/{id}/change_request/view',
    path: ({ story, request_draft }) => `/stories/${story}/change_request/view?draft_id=${request_draft}`,
    status: 200,
    reads: ['change_request.id', 'change_request.story_diff'],
  },
  decide('cancel', { reads: ['id'] }),
  ask('Second'),
  decide('approve', { status: 403, not: 'it approves with the key that asked; another person must' }),
  decide('promote', { status: 409, not: 'it promotes what its own key may not approve' }),
  decide('cancel', {}),
  ask(),
  decide('cancel', {}),
  {
    call: 'PUT /stories/{id} after change requests',
    path: ofStory(''),
    body: () => ({ change_control_enabled: false }),
    status: 200,
  },
];

const ENDS: ClientCall[] = [
  {
    call: 'GET /stories/{id}/export',
    path: ofStory('/export'),
    body: () => ({ randomize_urls: true }),
    status: 200,
    reads: ['agents.0.type', 'schema_version', 'name'],
  },
  {
    call: 'POST /stories/import',
    body: ({ team }) => ({ new_name: 'New', data: smallExport(), team_id: team, mode: 'new' }),
    status: 200,
    reads: STORY,
    keeps: { as: 'imported', from: 'id' },
  },
  {
    call: 'POST /stories/import with versionReplace',
    path: () => '/stories/import',
    body: ({ team }) => ({ new_name: 'New', data: smallExport(), team_id: team, mode: 'versionReplace' }),
    status: 200,
    reads: STORY,
  },
  { call: 'DELETE /stories/{id}', path: ofMade(), status: 204 },
  { call: 'DELETE /stories/batch', body: ({ imported }) => ({ ids: [imported] }), status: 204 },
];

/** Stories with their versions, drafts and change requests. */
export const STORY_CALLS: readonly ClientCall[] = [
  {
    call: 'POST /stories',
    body: ({ team }) => ({
      team_id: team,
      name: 'Made',
      description: 'd',
      keep_events_for: 86_400,
      tags: ['a'],
      disabled: false,
      priority: false,
    }),
    status: 201,
    reads: [...STORY, 'tags.0'],
    keeps: { as: 'made', from: 'id' },
  },
  {
    call: 'POST /actions for the story',
    path: () => '/actions',
    body: ({ made }) => ({
      type: 'Agents::WebhookAgent',
      name: 'Entry',
      options: {},
      position: { x: 0, y: 0 },
      story_id: made,
    }),
    status: 201,
    keeps: { as: 'made_action', from: 'id' },
  },
  { call: 'GET /stories/{id}', path: ofMade(), body: () => ({ story_mode: '' }), status: 200, reads: STORY },
  ...LISTS,
  ...CHANGES,
  ...VERSIONS,
  ...DRAFTS,
  ...REQUESTS,
  ...ENDS,
];
