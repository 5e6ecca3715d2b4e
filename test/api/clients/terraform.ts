import { bearer, type Client, type ClientCall, type Ids } from '../../support/clients.js';
import { otherThan, undecodable } from '../../support/go-types.js';
import { smallExport } from '../../support/stories.js';
import { resource } from './go-sdk-resources.js';
import { STORY } from './go-sdk-structs.js';

const story = (wanted: Record<string, unknown>) => ({
  reads: Object.keys(STORY),
  check: (response: object) => [...undecodable(response, STORY), ...otherThan(response, wanted)],
});

const withData = (description: string) =>
  smallExport({ name: 'Deployed', guid: 'd'.repeat(32), description });

/** `tines_story` with `data`: the export is the story. */
const exportedStory: ClientCall[] = [
  {
    call: 'POST /stories/import (create, mode new)',
    path: () => '/stories/import',
    body: ({ team }) => ({ new_name: 'Deployed', data: withData('One'), team_id: team, mode: 'new' }),
    status: 200,
    ...story({ name: 'Deployed', description: 'One', folder_id: null }),
    keeps: { as: 'deployed', from: 'id' },
  },
  {
    call: 'POST /stories/import (create, mode versionReplace)',
    path: () => '/stories/import',
    body: ({ team }) => ({
      new_name: 'Another',
      data: smallExport({ name: 'Another', guid: 'e'.repeat(32) }),
      team_id: team,
      mode: 'versionReplace',
    }),
    status: 200,
    ...story({ name: 'Another' }),
    keeps: { as: 'another', from: 'id' },
  },
  {
    call: 'GET /stories/{id} (refresh)',
    path: ({ deployed }) => `/stories/${deployed}`,
    status: 200,
    ...story({ name: 'Deployed', description: 'One' }),
    keeps: { as: 'guid', from: 'guid' },
  },
  {
    call: 'POST /stories/import (other data)',
    path: () => '/stories/import',
    body: ({ team }) => ({
      new_name: 'Deployed',
      data: withData('Two'),
      team_id: team,
      mode: 'versionReplace',
    }),
    status: 200,
    ...story({ description: 'Two' }),
    check: (response, { deployed, guid }) => [
      ...undecodable(response, STORY),
      ...otherThan(response, { id: deployed, guid, description: 'Two' }),
    ],
  },
  {
    call: 'POST /folders',
    body: ({ team }) => ({ name: 'Terraform', team_id: team, content_type: 'STORY' }),
    status: 201,
    keeps: { as: 'folder', from: 'id' },
  },
  {
    call: 'PUT /stories/{id} (team and folder)',
    path: ({ deployed }) => `/stories/${deployed}`,
    body: ({ team, folder }) => ({ team_id: team, folder_id: folder }),
    status: 200,
    ...story({ description: 'Two' }),
    check: (response, { folder }) => [
      ...undecodable(response, STORY),
      ...otherThan(response, { folder_id: folder }),
    ],
  },
  { call: 'DELETE /stories/{id} (with data)', path: ({ deployed }) => `/stories/${deployed}`, status: 204 },
  {
    call: 'GET /stories/{id} (deleted by others)',
    path: ({ deployed }) => `/stories/${deployed}`,
    status: 404,
    reads: ['errors.0.message'],
  },
];

const settings = {
  change_control_enabled: true,
  send_to_story_access: 'TEAM',
  send_to_story_access_source: 'STS',
  send_to_story_enabled: true,
  send_to_story_skill_use_requires_confirmation: true,
  locked: true,
};

/** `tines_story` without `data`: its settings alone. */
const settingsOfStory: ClientCall[] = [
  {
    call: 'POST /stories (create)',
    path: () => '/stories',
    body: ({ team, folder }) => ({
      name: 'Configured',
      description: 'By Terraform',
      keep_events_for: 604_800,
      priority: true,
      team_id: team,
      folder_id: folder,
    }),
    status: 201,
    ...story({ name: 'Configured', keep_events_for: 604_800, priority: true }),
    keeps: { as: 'configured', from: 'id' },
  },
  {
    call: 'PUT /stories/{id} (settings after creation)',
    path: ({ configured }) => `/stories/${configured}`,
    body: () => settings,
    status: 200,
    ...story(settings),
  },
  {
    call: 'GET /stories/{id} (refresh without data)',
    path: ({ configured }) => `/stories/${configured}`,
    status: 200,
    ...story({ ...settings, mode: 'LIVE', published: true }),
  },
  {
    call: 'PUT /stories/{id} (update)',
    path: ({ configured }) => `/stories/${configured}`,
    body: ({ team, folder }) => ({
      name: 'Configured anew',
      description: 'By Terraform',
      keep_events_for: 86_400,
      priority: true,
      send_to_story_enabled: true,
      send_to_story_access_source: 'STS',
      send_to_story_access: 'TEAM',
      team_id: team,
      folder_id: folder,
      locked: true,
    }),
    status: 200,
    ...story({ name: 'Configured anew', keep_events_for: 86_400, locked: true }),
  },
  {
    call: 'PUT /stories/{id} (entry and exits)',
    path: ({ another }) => `/stories/${another}`,
    body: ({ entry, exit, team }) => ({ entry_agent_id: entry, exit_agents: [exit], team_id: team }),
    status: 200,
    ...story({ name: 'Another' }),
    check: (response, { entry, exit }) => [
      ...undecodable(response, STORY),
      ...otherThan(response, { entry_agent_id: entry, exit_agents: [exit] }),
    ],
  },
  {
    call: 'PUT /stories/{id} (locked = false)',
    path: ({ configured }) => `/stories/${configured}`,
    body: ({ team }) => ({ team_id: team }),
    status: 200,
    check: (response) => otherThan(response, { locked: true }),
    not: 'it leaves out false, so the story stays locked',
  },
  { call: 'DELETE /stories/{id}', path: ({ configured }) => `/stories/${configured}`, status: 204 },
];

/** Reads the ids of actions that a person writes into the configuration. */
const lookUp: ClientCall = {
  call: 'GET /actions (for entry and exits)',
  path: ({ another }) => `/actions?story_id=${another}`,
  status: 200,
  reads: ['agents.0.id', 'agents.1.id'],
  keeps: { as: 'entry', from: 'agents.0.id' },
};
const lookUpExit: ClientCall = { ...lookUp, keeps: { as: 'exit', from: 'agents.1.id' } };

function ofType(name: string, { value, shown, next }: { value: unknown; shown: string; next: unknown }) {
  const at = (ids: Ids) => `/global_resources/${ids[name]}`;
  const calls: ClientCall[] = [
    {
      call: `POST /global_resources (${name})`,
      path: () => '/global_resources',
      body: ({ team }) => ({
        name: `terraform ${name}`,
        value,
        team_id: team,
        description: 'Managed via Terraform',
      }),
      status: 201,
      ...resource({ value: shown, description: 'Managed via Terraform' }),
      keeps: { as: name, from: 'id' },
    },
    {
      call: `GET /global_resources/{id} (${name})`,
      path: at,
      status: 200,
      ...resource({ value: shown, read_access: 'TEAM', test_resource: null }),
    },
    {
      call: `PUT /global_resources/{id} (${name})`,
      path: at,
      body: (ids) => ({ id: ids[name], name: `terraform ${name}`, value: next }),
      status: 200,
      ...resource({ value: typeof next === 'string' ? next : JSON.stringify(next) }),
    },
    { call: `DELETE /global_resources/{id} (${name})`, path: at, status: 204 },
    {
      call: `GET /global_resources/{id} (deleted ${name})`,
      path: at,
      status: 404,
      reads: ['errors.0.message'],
    },
  ];
  return calls;
}

/** `test_value`: a second request, after the one that makes the resource. */
const testValues: ClientCall[] = [
  {
    call: 'POST /global_resources (test_resource_enabled)',
    path: () => '/global_resources',
    body: ({ team }) => ({
      name: 'terraform test',
      value: 'live',
      team_id: team,
      test_resource_enabled: true,
    }),
    status: 201,
    ...resource({ value: 'live', test_resource_enabled: true, test_resource: null }),
    keeps: { as: 'tested', from: 'id' },
  },
  {
    call: 'PUT /global_resources/{id} (no test_value)',
    path: ({ tested }) => `/global_resources/${tested}`,
    body: ({ tested }) => ({ id: tested, test_resource: true, test_resource_enabled: true }),
    status: 200,
    ...resource({ value: 'live', test_resource_enabled: true, test_resource: null }),
  },
  {
    call: 'PUT /global_resources/{id} (test_value without is_test)',
    path: ({ tested }) => `/global_resources/${tested}`,
    body: ({ tested }) => ({ id: tested, value: {}, test_resource: true, test_resource_enabled: true }),
    status: 422,
    reads: ['errors.0.message'],
    not: 'it says `test_resource: true` instead of `is_test`, so its value would replace the live one',
  },
  {
    call: 'POST /global_resources (test_value)',
    path: () => '/global_resources',
    body: ({ team, tested }) => ({
      name: 'terraform test',
      value: 'test',
      team_id: team,
      live_resource_id: tested,
    }),
    status: 201,
    check: (response, { tested }) =>
      otherThan(response, { id: tested, value: 'live', 'test_resource.value': 'test' }),
    not: 'it takes `test_resource` for a text; it is an object with the times of the value',
  },
  {
    call: 'PUT /global_resources/{id} (test_value)',
    path: ({ tested }) => `/global_resources/${tested}`,
    body: ({ tested }) => ({ id: tested, value: 'other', is_test: true, test_resource_enabled: true }),
    status: 200,
    check: (response) => otherThan(response, { value: 'live', 'test_resource.value': 'other' }),
    not: 'it takes `test_resource` for a text; it is an object with the times of the value',
  },
  {
    call: 'POST /global_resources (empty list)',
    path: () => '/global_resources',
    body: ({ team }) => ({ name: 'terraform empty', value: null, team_id: team }),
    status: 422,
    reads: ['errors.0.message'],
    not: 'it sends null for an empty list, and a resource needs a value',
  },
];

/** Terraform: keeps stories and resources as they are declared; on the SDK, so it leaves out what is empty. */
export const terraform: Client = {
  name: 'Terraform provider 0.3.0',
  headers: (key) => ({ ...bearer(key), 'user-agent': 'Tines/TerraformProvider' }),
  calls: [
    ...exportedStory,
    lookUp,
    lookUpExit,
    ...settingsOfStory,
    ...ofType('text', { value: 'a', shown: 'a', next: 'b' }),
    ...ofType('number', { value: 42, shown: '42', next: 1.5 }),
    ...ofType('bool', { value: true, shown: 'true', next: false }),
    ...ofType('list', { value: ['a', 1], shown: '["a",1]', next: ['b'] }),
    ...ofType('object', { value: { a: { b: [1] } }, shown: '{"a":{"b":[1]}}', next: { a: null } }),
    ...testValues,
  ],
};
