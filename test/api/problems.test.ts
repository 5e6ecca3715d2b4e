import { request as send } from 'undici';
import { buildAccount, buildTeam } from '../support/builders.js';
import { type ParsedResponse, type Parsed, places, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const NOBODY = 999_999_999;

/** Things of one team, and of another team that the owner may see as well. */
async function scene() {
  const owner = await buildAccount(stores.db, { owner: true });
  const other = await buildTeam(stores.db, { tenantId: owner.tenantId });
  const make = async (path: string, body: object): Promise<Parsed> => {
    const response = await api.call(owner.key, `POST ${path}`, { team_id: owner.team.id, ...body });
    if (response.status >= 300)
      throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const fields = [
    { name: 'Amount', result_type: 'NUMBER' },
    { name: 'Flag', result_type: 'BOOLEAN' },
  ];
  const type = await make('/api/v1/record_types', { name: 'Type', fields });
  const [amount, flag] = type.record_fields.map(({ id }: { id: number }) => id);
  const record = await api.call(owner.key, 'POST /api/v1/records', { record_type_id: type.id });
  const story = await make('/api/v1/stories/import', { new_name: 'S', data: smallExport() });
  const agents = (await api.call(owner.key, `GET /api/v1/stories/${story.id}/agents`)).body.agents;
  return {
    owner,
    make,
    team: owner.team.id,
    otherFolder: (await make('/api/v1/folders', { name: 'F', team_id: other.id })).id,
    type: type.id,
    amount,
    flag,
    record: record.body.id,
    case: (await make('/api/v2/cases', { name: 'C', metadata: { a: 1 } })).case_id,
    story: story.id,
    trigger: agents[2].id,
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** A request with faults of shape and of meaning, and the places that its response must name: the shape's first. */
interface Faulty {
  request: string;
  body?: object;
  shape: string[];
  meaning: string[];
}

const wrongStory = () =>
  smallExport({
    agents: [
      agent('Agents::WebhookAgent', '1', { path: 'a/b', secret: 's' }),
      { ...agent('Agents::TriggerAgent', '2', { rules: [] }), type: 'Trigger' },
      agent('Agents::TriggerAgent', '1', { rules: [] }),
    ],
    links: [
      { source: 0, receiver: 9 },
      { source: 'x', receiver: 1 },
      { source: '2', receiver: '0' },
    ],
  });

const IMPORT_SHAPE = ['new_name', 'data.agents[1].type', 'data.links[1].source', 'colour'];
const IMPORT_MEANING = [
  'folder_id',
  'data.agents[0].options.path',
  'data.agents[2].guid',
  'data.links[0].receiver',
  'data.links[2].receiver',
];
const wrongImport = ({ team, otherFolder }: Scene) => ({
  new_name: 'two\nlines',
  data: wrongStory(),
  team_id: team,
  folder_id: otherFolder,
  colour: 1,
});

const CASES: Record<string, (made: Scene) => Faulty> = {
  'a new case': ({ team }) => ({
    request: 'POST /api/v2/cases',
    body: {
      team_id: String(team),
      name: 5,
      colour: 'red',
      author_email: 'nobody@example.test',
      assignee_emails: ['not an address', 'nobody@example.test'],
      closure_conditions: [{ name: 'a' }, { name: 'b', formula: '1 +' }],
    },
    shape: ['name', 'assignee_emails[0]', 'closure_conditions[0].formula', 'colour'],
    meaning: ['author_email', 'assignee_emails[1]', 'closure_conditions[1].formula'],
  }),
  ...Object.fromEntries(
    ['PUT', 'PATCH'].map((method) => [
      `an update of a case (${method})`,
      (made: Scene) => ({
        request: `${method} /api/v2/cases/${made.case}`,
        body: {
          status: 'ajar',
          tag_names: ['x'],
          add_assignee_emails: ['nobody@example.test'],
          closure_conditions: [{ name: 'b', formula: '(' }],
        },
        shape: ['status', 'tag_names'],
        meaning: ['add_assignee_emails[0]', 'closure_conditions[0].formula'],
      }),
    ]),
  ),
  'a comment': (made) => ({
    request: `POST /api/v2/cases/${made.case}/comments`,
    body: { value: 1, colour: 1, author_email: 'nobody@example.test' },
    shape: ['value', 'colour'],
    meaning: ['author_email'],
  }),
  'metadata to be deleted': (made) => ({
    request: `DELETE /api/v2/cases/${made.case}/metadata`,
    body: { metadata: ['a', 'b', 'c'], colour: 1, size: 2 },
    shape: ['colour', 'size'],
    meaning: ['metadata[1]', 'metadata[2]'],
  }),
  'a subscriber': (made) => ({
    request: `POST /api/v2/cases/${made.case}/subscribers`,
    body: { user_email: 'nobody@example.test', colour: 1, size: 2 },
    shape: ['colour', 'size'],
    meaning: ['user_email'],
  }),
  'a linked case': (made) => ({
    request: `POST /api/v2/cases/${made.case}/linked_cases`,
    body: { id: made.case, colour: 1, size: 2 },
    shape: ['colour', 'size'],
    meaning: ['id'],
  }),
  'a new record': ({ type, amount, flag }) => ({
    request: 'POST /api/v1/records',
    body: {
      record_type_id: type,
      test_mode: 'perhaps',
      case_ids: ['x', NOBODY],
      field_values: [
        { field_id: amount, value: 'ten' },
        { field_id: 'x', value: 1 },
        { field_id: String(flag), value: 'true', extra: 1 },
        { field_id: NOBODY, value: 1 },
      ],
      parent_record_id: NOBODY,
    },
    shape: ['field_values[1].field_id', 'field_values[2].extra', 'case_ids[0]', 'test_mode'],
    meaning: ['field_values[0].value', 'field_values[3].field_id', 'parent_record_id', 'case_ids[1]'],
  }),
  'an update of a record': ({ record, flag }) => ({
    request: `PUT /api/v1/records/${record}`,
    body: {
      field_values: [{ value: 1 }, { field_id: flag, value: 'maybe' }],
      add_child_records: ['x', record],
      remove_child_records: [NOBODY],
    },
    shape: ['field_values[0].field_id', 'add_child_records[0]'],
    meaning: ['field_values[1].value', 'add_child_records[1]', 'remove_child_records[0]'],
  }),
  'a list of records': ({ type, amount, flag }) => ({
    request:
      `GET /api/v1/records?record_type_id=${type}&per_page=0&order_field_id=${NOBODY}` +
      `&filters[0][field_id]=${amount}&filters[0][operator]=EQUAL&filters[0][value]=ten` +
      `&filters[1][field_id]=${NOBODY}&filters[1][operator]=LIKE` +
      `&filters[2][field_id]=${flag}&filters[2][operator]=LESS_THAN&filters[2][value]=1` +
      `&record_field_ids=${amount}&record_field_ids=${NOBODY}`,
    shape: ['filters[1].operator', 'per_page'],
    meaning: [
      'record_field_ids[1]',
      'filters[0].value',
      'filters[1].field_id',
      'filters[2].operator',
      'order_field_id',
    ],
  }),
  'a list of records in a body, by its fields': ({ amount }) => ({
    request: 'GET /api/v1/records?page=x',
    body: {
      record_field_ids: [String(amount), 'x'],
      filters: [
        { field_id: amount, operator: 'IS_TRUE' },
        { field_id: NOBODY, operator: 'IS_EMPTY' },
      ],
    },
    shape: ['record_field_ids[1]', 'page'],
    meaning: ['filters[0].operator', 'filters[1].field_id'],
  }),
  'a new record type': () => ({
    request: 'POST /api/v1/record_types',
    body: {
      name: 'a\u0000b',
      fields: [
        { name: 'id', result_type: 'TEXT' },
        { name: 'Choice', result_type: 'TEXT_ENUM' },
        { name: 'Odd', result_type: 'COLOUR' },
        { name: 'Story name', result_type: 'SIZE' },
        { name: '', result_type: 'TEXT', fixed_values: ['x'] },
      ],
    },
    shape: ['name', 'fields[2].result_type', 'fields[3].result_type', 'fields[4].name'],
    meaning: ['fields[1].fixed_values', 'fields[0].name', 'fields[3].name'],
  }),
  'an update of a record type': ({ type, amount, flag }) => ({
    request: `PUT /api/v1/record_types/${type}`,
    body: {
      fields: [
        { id: amount, name: 'Timestamp' },
        { id: NOBODY, name: 'Lost' },
        { id: 'x', name: 'Lost too' },
        { id: flag, result_type: 'TEXT' },
      ],
      field_ids_to_delete: [NOBODY, 'x'],
    },
    shape: ['fields[2].id', 'field_ids_to_delete[1]'],
    meaning: ['field_ids_to_delete[0]', 'fields[1].id', 'fields[3].result_type', 'fields[0].name'],
  }),
  'an import': (made) => ({
    request: 'POST /api/v1/stories/import',
    body: wrongImport(made),
    shape: IMPORT_SHAPE,
    meaning: IMPORT_MEANING,
  }),
  'an import with a wrong query': (made) => ({
    request: 'POST /api/v1/stories/import?force=1',
    body: wrongImport(made),
    shape: [...IMPORT_SHAPE.slice(0, -1), 'force', 'colour'],
    meaning: IMPORT_MEANING,
  }),
  ...Object.fromEntries(
    ['PUT', 'PATCH'].map((method) => [
      `an update of a story (${method})`,
      (made: Scene) => ({
        request: `${method} /api/v1/stories/${made.story}`,
        body: { name: '\ud800', keep_events_for: 5, folder_id: made.otherFolder },
        shape: ['name', 'keep_events_for'],
        meaning: ['folder_id'],
      }),
    ]),
  ),
  'an update of an agent': ({ trigger }) => ({
    request: `PUT /api/v1/agents/${trigger}`,
    body: { name: 5, disabled: 'perhaps', options: { rules: 5 } },
    shape: ['name', 'disabled'],
    meaning: ['options.rules'],
  }),
  'a new credential': () => ({
    request: 'POST /api/v1/credentials',
    body: { name: 5, description: 5, mode: 'fabula', value: 'x', key: { expires_at: '2020-01-01' } },
    shape: ['name', 'description'],
    meaning: ['key.role', 'key.expires_at', 'value'],
  }),
  'a new credential of a mode that nobody knows': () => ({
    request: 'POST /api/v1/credentials',
    body: { name: 'a', mode: 'oauth', key: { role: 'KING', expires_at: '2020-01-01' } },
    shape: ['mode', 'key.role'],
    meaning: [],
  }),
  'a new resource': ({ otherFolder }) => ({
    request: 'POST /api/v1/global_resources',
    body: { name: 5, description: 5, value: [1], value_type: 'text', folder_id: otherFolder },
    shape: ['name', 'description'],
    meaning: ['value', 'folder_id'],
  }),
  'a new key': ({ team }) => ({
    request: 'POST /api/v1/api_keys',
    body: { kind: 'personal', name: 5, colour: 1, team_id: team, expires_at: '2020-01-01' },
    shape: ['name', 'colour'],
    meaning: ['team_id', 'expires_at'],
  }),
  'a new member': ({ team }) => ({
    request: `POST /api/v1/teams/${team}/members`,
    body: { email: 'nobody@example.test', role: 'KING', colour: 1 },
    shape: ['role', 'colour'],
    meaning: ['email'],
  }),
  'a new user': () => ({
    request: 'POST /api/v1/users',
    body: { email: 'nobody', first_name: 5, active: true },
    shape: ['email', 'first_name', 'active'],
    meaning: [],
  }),
  'a new team': () => ({
    request: 'POST /api/v1/teams',
    body: { name: 'a\tb', colour: 1 },
    shape: ['name', 'colour'],
    meaning: [],
  }),
};

/** As `api.call`; a GET may have a body. */
async function call(
  key: string,
  request: string,
  body?: object,
): Promise<Pick<ParsedResponse, 'status' | 'body'>> {
  const [method = '', path = ''] = request.split(' ');
  const response = await send(api.fabula().url + path, {
    method: method as 'GET',
    headers: { 'x-user-token': key, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.statusCode, body: await response.body.json() };
}

/** Returns the contents of every table, without the time at which a key was last used. */
async function contents(): Promise<unknown> {
  return stores.db.read(async (session) => {
    const tables = await session.rows<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> 'api_keys'",
    );
    const names = tables.map(({ name }) => name).toSorted();
    return [
      await session.rows(`CHECKSUM TABLE ${names.join(', ')}`),
      await session.rows('SELECT id FROM api_keys'),
    ];
  });
}

describe('one response names what is wrong with the shape and with the meaning', () => {
  it.each(Object.keys(CASES))('of %s, and nothing is written', async (name) => {
    const made = await scene();
    const { request, body, shape, meaning } = CASES[name]!(made);
    const before = await contents();
    const response = await call(made.owner.key, request, body);
    expect([response.status, places(response)]).toEqual([422, [...shape, ...meaning]]);
    expect(await contents()).toEqual(before);
  });

  it('of an update of a resource and of its parts', async () => {
    const { owner, make, otherFolder } = await scene();
    const { id } = await make('/api/v1/global_resources', { name: 'r', value: ['a'] });
    const tell = async (request: string, body: object) => {
      const response = await api.call(owner.key, request, body);
      return [response.status, places(response)];
    };
    const path = `/api/v1/global_resources/${id}`;
    const update = { name: 5, colour: 1, value: 'x', value_type: 'array', folder_id: otherFolder };
    expect(await tell(`PUT ${path}`, update)).toEqual([422, ['name', 'colour', 'value', 'folder_id']]);
    expect(await tell(`POST ${path}/remove`, { index: 9, colour: 1 })).toEqual([422, ['colour', 'index']]);
    expect(await tell(`POST ${path}/replace`, { index: 9, colour: 1 })).toEqual([422, ['value', 'colour']]);
  });

  it('of an update of a credential that holds a key of this server', async () => {
    const { owner, make } = await scene();
    const key = { kind: 'team', role: 'EDITOR' };
    const { id } = await make('/api/v1/credentials', { name: 'c', mode: 'fabula', key });
    const body = { name: 5, colour: 1, value: 'x' };
    const response = await api.call(owner.key, `PATCH /api/v1/credentials/${id}`, body);
    expect([response.status, places(response)]).toEqual([422, ['name', 'colour', 'value']]);
  });

  it('and of a body whose data is nested too deep, what is wrong beside it', async () => {
    const { owner, otherFolder, team } = await scene();
    const data = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown;
    const body = { data, team_id: team, folder_id: otherFolder, colour: 1 };
    const response = await api.call(owner.key, 'POST /api/v1/stories/import', body);
    expect([response.status, places(response)]).toEqual([422, ['data', 'new_name', 'colour', 'folder_id']]);
  });
});

describe('of a part that has no usable shape nothing more is said', () => {
  it.each<[string, object, string[]]>([
    ['POST /api/v1/api_keys', { kind: 'queen', name: 'a', role: 'VIEWER' }, ['kind']],
    ['POST /api/v1/api_keys', { kind: 'team', name: 'a', role: 'KING', team_id: [] }, ['team_id', 'role']],
    ['POST /api/v1/credentials', { name: 'a', value: 5 }, ['value']],
    [
      'POST /api/v1/record_types',
      { name: 'a', fields: [{ name: 5, result_type: 'TEXT' }] },
      ['fields[0].name'],
    ],
    [
      'POST /api/v1/records',
      { record_type_id: 'x', field_values: [{ field_id: 1, value: 1 }] },
      ['record_type_id'],
    ],
    ['GET /api/v1/records', { record_field_ids: 'x' }, ['record_field_ids']],
    ['GET /api/v1/records', { per_page: 0 }, ['per_page', 'record_type_id']],
    ['POST /api/v1/folders', { name: 'a', team_id: 'x' }, ['team_id']],
  ])('%s %j', async (request, body, wrong) => {
    const { owner } = await scene();
    const response = await call(owner.key, request, body);
    expect(places(response).map((place) => String(place).replace(/^(record_field_ids)\[0\]$/, '$1'))).toEqual(
      wrong,
    );
  });

  it('nor of positions in a list of agents that is none', async () => {
    const { owner } = await scene();
    const data = smallExport({ agents: 'none' });
    const response = await api.call(owner.key, 'POST /api/v1/stories/import', { new_name: 'a', data });
    expect(places(response)).toEqual(['data.agents']);
  });
});

describe('names of one line', () => {
  const WRONG = ['two\nlines', 'a\u0000b', 'half \ud83d', '\udc00'];

  it.each<[string, string, (made: Scene) => object]>([
    ['POST /api/v1/stories/import', 'new_name', () => ({ data: smallExport() })],
    ['POST /api/v1/record_types', 'name', () => ({})],
    ['POST /api/v2/cases', 'name', ({ team }) => ({ team_id: team })],
    ['POST /api/v1/folders', 'name', () => ({})],
    ['POST /api/v1/teams', 'name', () => ({})],
    ['POST /api/v1/global_resources', 'name', () => ({ value: 'x' })],
    ['POST /api/v1/credentials', 'name', () => ({ value: 'x' })],
  ])('%s refuses others by their place, and keeps whole characters', async (request, field, rest) => {
    const made = await scene();
    for (const name of WRONG) {
      const response = await call(made.owner.key, request, { ...rest(made), [field]: name });
      expect([name, response.status, places(response)]).toEqual([name, 422, [field]]);
    }
    const fine = await call(made.owner.key, request, { ...rest(made), [field]: ' Größe 😀 ' });
    expect([fine.status < 300, fine.body.name]).toEqual([true, 'Größe 😀']);
  });
});
