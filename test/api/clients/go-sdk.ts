import { bearer, type Client, type ClientCall } from '../../support/clients.js';
import { decodesList, otherThan, undecodable } from '../../support/go-types.js';
import type { Parsed } from '../../support/manage-api.js';
import { smallExport } from '../../support/stories.js';
import { credentialCalls } from './go-sdk-credentials.js';
import { resourceCalls } from './go-sdk-resources.js';
import { STORY } from './go-sdk-structs.js';

const FOLDER = { id: 'int', name: 'string', team_id: 'int', content_type: 'string', size: 'int' } as const;
const STORY_KEYS =
  'id name user_id description keep_events_for disabled priority send_to_story_enabled send_to_story_access_source send_to_story_access shared_team_slugs entry_agent_id exit_agents send_to_story_skill_use_requires_confirmation team_id tags guid slug created_at updated_at edited_at mode folder_id published change_control_enabled locked owners';

const story = (wanted: Record<string, unknown>) => ({
  reads: STORY_KEYS.split(' '),
  check: (response: object) => [...undecodable(response, STORY), ...otherThan(response, wanted)],
});
const stories = { reads: ['meta.next_page_number'], check: decodesList('stories', STORY) };
const folders = { check: decodesList('folders', FOLDER) };
const folder = (wanted: Record<string, unknown>) => ({
  reads: Object.keys(FOLDER),
  check: (response: object) => [...undecodable(response, FOLDER), ...otherThan(response, wanted)],
});

const settings = {
  send_to_story_access_source: 'STS_AND_WORKBENCH',
  send_to_story_access: 'GLOBAL',
  send_to_story_skill_use_requires_confirmation: true,
};

const storyCalls: ClientCall[] = [
  {
    call: 'POST /stories (team only)',
    path: () => '/stories',
    body: ({ team }) => ({ team_id: team }),
    status: 201,
    ...story({ tags: [], disabled: false, locked: false }),
    keeps: { as: 'bare', from: 'id' },
  },
  {
    call: 'POST /folders',
    body: ({ team }) => ({ name: 'SDK', team_id: team, content_type: 'STORY' }),
    status: 201,
    ...folder({ name: 'SDK', content_type: 'STORY', size: 0 }),
    keeps: { as: 'folder', from: 'id' },
  },
  {
    call: 'POST /stories (all fields)',
    path: () => '/stories',
    body: ({ team, folder: id }) => ({
      name: 'From SDK',
      description: 'Made by a program',
      keep_events_for: 86_400,
      disabled: true,
      priority: true,
      team_id: team,
      tags: ['a', 'b'],
      folder_id: id,
    }),
    status: 201,
    ...story({ name: 'From SDK', keep_events_for: 86_400, disabled: true, priority: true, tags: ['a', 'b'] }),
    keeps: { as: 'full', from: 'id' },
  },
  {
    call: 'GET /stories/{id}',
    path: ({ full }) => `/stories/${full}`,
    status: 200,
    ...story({ name: 'From SDK', description: 'Made by a program', slug: 'from_sdk' }),
  },
  {
    call: 'GET /stories/{id} (deleted)',
    path: () => '/stories/999999999',
    status: 404,
    reads: ['errors.0.message'],
  },
  {
    call: 'PUT /stories/{id} (name)',
    path: ({ full }) => `/stories/${full}`,
    body: () => ({ name: 'Renamed' }),
    status: 200,
    ...story({ name: 'Renamed', disabled: true }),
  },
  {
    call: 'PUT /stories/{id} (settings)',
    path: ({ full }) => `/stories/${full}`,
    body: () => settings,
    status: 200,
    ...story({ ...settings, send_to_story_enabled: true }),
  },
  {
    call: 'PUT /stories/{id} (tags)',
    path: ({ full }) => `/stories/${full}`,
    body: () => ({ tags: ['c'] }),
    status: 200,
    ...story({ tags: ['c'] }),
  },
  {
    call: 'PUT /stories/{id} (locked, change control)',
    path: ({ bare }) => `/stories/${bare}`,
    body: () => ({ change_control_enabled: true, locked: true }),
    status: 200,
    ...story({ change_control_enabled: true, locked: true }),
  },
  {
    call: 'PUT /stories/{id} (as read)',
    path: ({ full }) => `/stories/${full}`,
    body: ({ full, team, folder: id, person }) => ({
      id: full,
      name: 'Sent back',
      user_id: person,
      description: 'Made by a program',
      keep_events_for: 86_400,
      disabled: true,
      priority: true,
      send_to_story_enabled: true,
      ...settings,
      team_id: team,
      tags: ['c'],
      guid: 'a'.repeat(32),
      slug: 'renamed',
      created_at: '2026-11-21T09:30:00Z',
      updated_at: '2026-11-21T09:30:00Z',
      edited_at: '2026-11-21T09:30:00Z',
      mode: 'LIVE',
      folder_id: id,
      published: true,
      owners: [person],
    }),
    status: 200,
    ...story({ name: 'Sent back', tags: ['c'], send_to_story_access: 'GLOBAL' }),
  },
  {
    call: 'PUT /stories/{id} (move to no folder, enable)',
    path: ({ full }) => `/stories/${full}`,
    body: () => ({}),
    status: 200,
    check: (response) => otherThan(response, { disabled: true }),
    not: 'it leaves out 0 and false, so it cannot ask for it',
  },
  {
    call: 'PUT /stories/{id} (to an unknown team)',
    path: ({ full }) => `/stories/${full}`,
    body: () => ({ team_id: 999_999_999 }),
    status: 404,
    reads: ['errors.0.message'],
  },
  {
    call: 'PUT /stories/{id} (refused)',
    path: ({ full }) => `/stories/${full}`,
    body: () => ({ keep_events_for: 5 }),
    status: 422,
    reads: ['errors.0.message', 'errors.0.details'],
  },
  { call: 'GET /stories', status: 200, ...stories },
  {
    call: 'GET /stories (of a team)',
    path: ({ team }) => `/stories?team_id=${team}`,
    status: 200,
    ...stories,
  },
  {
    call: 'GET /stories (in pages)',
    path: () => '/stories?per_page=1',
    status: 200,
    ...stories,
    check: (response) => [
      ...stories.check(response),
      ...otherThan(response, { 'meta.next_page_number': 2, 'meta.pages': 3 }),
    ],
    keeps: { as: 'next', from: 'meta.next_page' },
  },
  {
    call: 'GET /stories (next page)',
    path: ({ next }) => `/stories${new URL(String(next)).search}`,
    status: 200,
    ...stories,
  },
  {
    call: 'GET /stories/{id}/export',
    path: ({ story: id }) => `/stories/${id}/export`,
    status: 200,
    reads: ['name', 'agents.0.guid'],
    check: (response) => (isKept(response) ? [] : ['the path of the webhook is another one']),
  },
  {
    call: 'GET /stories/{id}/export (other URLs)',
    path: ({ story: id }) => `/stories/${id}/export?randomize_urls=true`,
    status: 200,
    reads: ['agents.0.options.path'],
    check: (response) => (isKept(response) ? ['the path of the webhook stays'] : []),
  },
  {
    call: 'POST /stories/import',
    body: ({ team, folder: id }) => ({
      new_name: 'SDK import',
      data: smallExport({ guid: 'b'.repeat(32) }),
      team_id: team,
      folder_id: id,
      mode: 'new',
    }),
    status: 200,
    ...story({ name: 'SDK import' }),
    keeps: { as: 'imported', from: 'id' },
  },
  {
    call: 'POST /stories/import (versionReplace)',
    path: () => '/stories/import',
    body: ({ team }) => ({
      new_name: 'SDK import',
      data: smallExport({ description: 'Changed' }),
      team_id: team,
      mode: 'versionReplace',
    }),
    status: 200,
    ...story({ name: 'SDK import', description: 'Changed' }),
    check: (response, { imported }) => [
      ...undecodable(response, STORY),
      ...otherThan(response, { id: imported }),
    ],
  },
  {
    call: 'POST /stories/{id}/versions',
    path: ({ imported }) => `/stories/${imported}/versions`,
    body: () => ({ name: 'From SDK' }),
    status: 200,
    reads: ['id', 'name', 'description', 'story_version.id'],
  },
];

const folderCalls: ClientCall[] = [
  ...['CREDENTIAL', 'RESOURCE'].map((type) => ({
    call: `POST /folders (${type})`,
    path: () => '/folders',
    body: ({ team }: Record<string, unknown>) => ({ name: type, team_id: team, content_type: type }),
    status: 201,
    ...folder({ content_type: type }),
  })),
  {
    call: 'GET /folders/{id}',
    path: ({ folder: id }) => `/folders/${id}`,
    status: 200,
    ...folder({ name: 'SDK', size: 3 }),
  },
  {
    call: 'PUT /folders/{id}',
    path: ({ folder: id }) => `/folders/${id}?name=New+name`,
    status: 200,
    ...folder({ name: 'New name' }),
  },
  { call: 'GET /folders', status: 200, ...folders },
  {
    call: 'GET /folders (of a team)',
    path: ({ team }) => `/folders?team_id=${team}`,
    status: 200,
    ...folders,
  },
  {
    call: 'GET /folders (of a kind)',
    path: ({ team }) => `/folders?content_type=RESOURCE&per_page=20&team_id=${team}`,
    status: 200,
    check: (response) => [...folders.check(response), ...otherThan(response, { 'meta.count': 1 })],
  },
  { call: 'DELETE /folders/{id}', path: ({ folder: id }) => `/folders/${id}`, status: 204 },
];

const AUDIT_LOG = {
  created_at: 'string',
  operation_name: 'string',
  id: 'int',
  inputs: 'any',
  outputs: 'any',
  request_ip: 'string',
  request_user_agent: 'string',
  story_id: 'int',
  tenant_id: 'int',
  updated_at: 'string',
  user_email: 'string',
  user_id: 'int',
  user_name: 'string',
} as const;
const auditLogs = {
  reads: [...Object.keys(AUDIT_LOG).map((key) => `audit_logs.0.${key}`), 'meta.next_page_number'],
  check: decodesList('audit_logs', AUDIT_LOG),
};
const auditQuery = (name: string, query: string): ClientCall => ({
  call: `GET /audit_logs (${name})`,
  path: () => `/audit_logs?${query}`,
  status: 200,
  ...auditLogs,
});

const WORKERS = {
  current_workers: 'int',
  max_workers: 'int',
  queue_count: 'int',
  queue_latency: 'int',
} as const;

const otherCalls: ClientCall[] = [
  {
    call: 'GET /info',
    status: 200,
    reads: ['stack.name', 'stack.type', 'stack.region', 'stack.egress_ips'],
    check: ({ stack }) =>
      undecodable(stack, { name: 'string', type: 'string', region: 'string', egress_ips: 'strings' }),
  },
  {
    call: 'GET /info/worker_stats',
    status: 200,
    reads: Object.keys(WORKERS),
    check: (response) => undecodable(response, WORKERS),
  },
  { call: 'GET /audit_logs', status: 200, ...auditLogs },
  auditQuery('of an operation', 'operation_name=FolderCreation'),
  auditQuery('of a time', 'after=2020-01-01T00%3A00%3A00Z&before=2100-01-01T00%3A00%3A00Z'),
  auditQuery('next page', 'page=2&per_page=20'),
  {
    call: 'GET /audit_logs (of a user)',
    path: ({ person }) => `/audit_logs?per_page=20&user_id=${person}`,
    status: 200,
    reads: ['audit_logs', 'meta.count'],
  },
  { call: 'DELETE /stories/{id}', path: ({ full }) => `/stories/${full}`, status: 204 },
  {
    call: 'DELETE /stories/batch',
    body: ({ bare, imported }) => ({ ids: [bare, imported] }),
    status: 204,
  },
];

/** Whether the export has the path that the story was imported with. */
const isKept = ({ agents }: Parsed) => /^small-\d+$/.test(agents[0].options.path);

/** The vendor's SDK, which leaves out what is empty, and changes folders by the query. */
export const goSdk: Client = {
  name: 'go-sdk',
  headers: (key) => ({
    ...bearer(key),
    'user-agent': 'Tines/GoSdk',
    'x-tines-client-version': 'tines-go-sdk-0.2.2',
  }),
  calls: [...storyCalls, ...resourceCalls, ...credentialCalls, ...folderCalls, ...otherCalls],
};
