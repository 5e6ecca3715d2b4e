import type { ClientCall, Ids } from '../../support/clients.js';
import { decodesList, otherThan, undecodable } from '../../support/go-types.js';
import { RESOURCE } from './go-sdk-structs.js';

const KEYS =
  'id name value team_id folder_id user_id read_access shared_team_slugs slug description test_resource_enabled created_at updated_at';

/** A resource in a response, with these values. */
export const resource = (wanted: Record<string, unknown>) => ({
  reads: KEYS.split(' '),
  check: (response: object) => [...undecodable(response, RESOURCE), ...otherThan(response, wanted)],
});
const list = { check: decodesList('global_resources', RESOURCE) };

function create(name: string, value: unknown, shown: string): ClientCall {
  return {
    call: `POST /global_resources (${name})`,
    path: () => '/global_resources',
    body: ({ team }) => ({ name: `sdk ${name}`, value, team_id: team }),
    status: 201,
    ...resource({ value: shown, read_access: 'TEAM' }),
    keeps: { as: name, from: 'id' },
  };
}

/** A change of a part: `resource_id` stands in the body too; the response is bare. */
function part(
  what: string,
  { on, body, response }: { on: string; body: object; response?: unknown },
  more?: Partial<ClientCall>,
): ClientCall {
  const [verb = ''] = what.split(' ');
  return {
    call: `POST /global_resources/{id}/${what}`,
    path: (ids) => `/global_resources/${ids[on]}/${verb}`,
    body: (ids: Ids) => ({ ...(verb === 'append' ? {} : { resource_id: ids[on] }), ...body }),
    status: 200,
    check: (given) => otherThan(given, { '': response }),
    ...more,
  };
}

/** The calls of resources, of the SDK. */
export const resourceCalls: ClientCall[] = [
  create('text', 'value', 'value'),
  create('list', ['one'], '["one"]'),
  create('object', { foo: 'bar' }, '{"foo":"bar"}'),
  create('number', 42, '42'),
  create('boolean', false, 'false'),
  {
    call: 'POST /global_resources (shared)',
    path: () => '/global_resources',
    body: ({ team, folder }) => ({
      name: 'sdk shared',
      value: 'x',
      team_id: team,
      folder_id: folder,
      read_access: 'GLOBAL',
      description: 'For all',
      test_resource_enabled: true,
    }),
    status: 201,
    ...resource({ read_access: 'GLOBAL', description: 'For all', test_resource_enabled: true }),
    keeps: { as: 'shared', from: 'id' },
  },
  {
    call: 'POST /global_resources (test value)',
    path: () => '/global_resources',
    body: ({ team, shared }) => ({
      name: 'sdk shared',
      value: 'tested',
      team_id: team,
      live_resource_id: shared,
    }),
    status: 201,
    ...resource({ value: 'x', 'test_resource.value': 'tested' }),
  },
  {
    call: 'GET /global_resources/{id}',
    path: ({ object }) => `/global_resources/${object}`,
    status: 200,
    ...resource({ value: '{"foo":"bar"}' }),
  },
  {
    call: 'PUT /global_resources/{id}',
    path: ({ text }) => `/global_resources/${text}`,
    body: ({ text, team }) => ({ id: text, name: 'sdk text', value: 'value', team_id: team }),
    status: 200,
    ...resource({ value: 'value' }),
  },
  {
    call: 'PUT /global_resources/{id} (empty value)',
    path: ({ number }) => `/global_resources/${number}`,
    body: ({ number, team }) => ({ id: number, name: 'sdk empty', value: '', team_id: team }),
    status: 200,
    ...resource({ name: 'sdk empty', value: '' }),
  },
  {
    call: 'PUT /global_resources/{id} (test value)',
    path: ({ shared }) => `/global_resources/${shared}`,
    body: ({ shared }) => ({ id: shared, value: ['t'], is_test: true, test_resource_enabled: true }),
    status: 200,
    ...resource({ value: 'x', 'test_resource.value': '["t"]', test_resource_enabled: true }),
  },
  {
    call: 'PUT /global_resources/{id} (as read)',
    path: ({ object }) => `/global_resources/${object}`,
    body: ({ object, team, person }) => ({
      id: object,
      name: 'sdk object',
      value: '{"foo":"baz"}',
      team_id: team,
      user_id: person,
      read_access: 'TEAM',
      slug: 'sdk_object',
      created_at: '2026-11-21T09:30:00Z',
      updated_at: '2026-11-21T09:30:00Z',
    }),
    status: 200,
    ...resource({ value: '{"foo":"baz"}' }),
  },
  { call: 'GET /global_resources', status: 200, ...list },
  {
    call: 'GET /global_resources (of a team)',
    path: ({ team }) => `/global_resources?per_page=20&team_id=${team}`,
    status: 200,
    ...list,
  },
  part('append (text)', { on: 'text', body: { value: 'foo' }, response: 'valuefoo' }),
  part('append (list)', { on: 'list', body: { value: [2] }, response: ['one', 2] }),
  part('remove (index)', { on: 'list', body: { index: 1 }, response: 2 }),
  part('remove (key)', { on: 'object', body: { key: 'foo' }, response: 'baz' }),
  part(
    'remove (index 0)',
    { on: 'list', body: {} },
    {
      status: 422,
      check: () => [],
      not: 'it leaves out the index 0',
    },
  ),
  part(
    'replace (key)',
    { on: 'object', body: { key: 'new', value: 'v' }, response: 'v' },
    {
      not: 'it wants an object around the value that it documents as bare',
    },
  ),
  { call: 'DELETE /global_resources/{id}', path: ({ text }) => `/global_resources/${text}`, status: 204 },
];
