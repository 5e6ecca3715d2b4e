import { buildAccount, buildTeam } from '../support/builders.js';
import {
  ALL_FIELDS,
  buildRecordType,
  fieldId,
  insertMany,
  routeOf,
  useRecordApi,
} from '../support/records.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useRecordApi(stores);
const PATH = '/api/v1/record_types';
const ID = expect.any(Number);

const fits = (method: string, path: string, body: unknown) =>
  expect(routeOf(method, path).docs?.response?.validate(body, { convert: false }).error).toBeUndefined();

const details = (body: { errors: { details?: string }[] }) => body.errors.map((error) => error.details);

describe('a record type', () => {
  it('is created with its fields and the two default ones, key by key', async () => {
    const { key, team } = await buildAccount(stores.db);
    const { status, body } = await api.call(key, 'POST', PATH, {
      name: '  Report ',
      team_id: String(team.id),
      fields: [
        { name: 'Subject', result_type: 'TEXT' },
        { name: 'Verdict', result_type: 'TEXT_ENUM', fixed_values: ['clean', 'bad'] },
      ],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: ID,
      name: 'Report',
      team_id: team.id,
      editable: true,
      ttl_days: null,
      record_fields: [
        { id: ID, name: 'Subject', result_type: 'TEXT', fixed_values: [] },
        { id: ID, name: 'Verdict', result_type: 'TEXT_ENUM', fixed_values: ['clean', 'bad'] },
      ],
      default_record_fields: [
        { id: ID, name: 'Story name', result_type: 'TEXT', fixed_values: [] },
        { id: ID, name: 'Timestamp', result_type: 'TIMESTAMP', fixed_values: [] },
      ],
    });
    fits('post', PATH, body);
    expect((await api.call(key, 'GET', `${PATH}/${body.id}/`)).body).toEqual(body);
  });

  it('goes to the team of the key when none is named, and may be without fields', async () => {
    const { key, team } = await buildAccount(stores.db);
    const { body } = await api.call(key, 'POST', PATH, { name: 'Bare' });
    expect(body).toMatchObject({ team_id: team.id, record_fields: [] });
  });

  it.each([
    [{}, ['name']],
    [{ name: 'x', colour: 1 }, ['colour']],
    [{ name: 'x', fields: [{ name: 'id', result_type: 'TEXT' }] }, ['fields[0].name']],
    [{ name: 'x', fields: [{ name: 'Timestamp', result_type: 'TEXT' }] }, ['fields[0].name']],
    [
      {
        name: 'x',
        fields: [
          { name: 'A', result_type: 'TEXT' },
          { name: 'A', result_type: 'NUMBER' },
        ],
      },
      ['fields[1].name'],
    ],
    [
      { name: 'x', fields: [{ name: 'A' }, { result_type: 'TEXT' }] },
      ['fields[0].result_type', 'fields[1].name'],
    ],
    [{ name: 'x', fields: [{ name: 'A', result_type: 'DATE' }] }, ['fields[0].result_type']],
    [{ name: 'x', fields: [{ name: 'A', result_type: 'TEXT_ENUM' }] }, ['fields[0].fixed_values']],
    [
      { name: 'x', fields: [{ name: 'A', result_type: 'TEXT', fixed_values: ['a'] }] },
      ['fields[0].fixed_values'],
    ],
    [{ name: 'x', fields: [{ id: 5, name: 'A', result_type: 'TEXT' }] }, ['fields[0].id']],
    [
      {
        name: 'x',
        fields: Array.from({ length: 201 }, (_, index) => ({ name: `F${index}`, result_type: 'TEXT' })),
      },
      ['fields'],
    ],
  ])('is refused as %j', async (input, wanted) => {
    const { key } = await buildAccount(stores.db);
    const { status, body } = await api.call(key, 'POST', PATH, input);
    expect([status, details(body)]).toEqual([422, wanted]);
  });

  it('has a name of its own in its team', async () => {
    const account = await buildAccount(stores.db);
    const other = await buildAccount(stores.db, { tenantId: account.tenantId });
    expect((await api.call(account.key, 'POST', PATH, { name: 'Same' })).status).toBe(201);
    const { status, body } = await api.call(account.key, 'POST', PATH, { name: 'Same' });
    expect([status, details(body)]).toEqual([409, ['name']]);
    expect((await api.call(account.key, 'POST', PATH, { name: 'same' })).status).toBe(201);
    expect((await api.call(other.key, 'POST', PATH, { name: 'Same' })).status).toBe(201);
  });

  it('is created once when two want its name at the same time', async () => {
    const { key } = await buildAccount(stores.db);
    const responses = await Promise.all([1, 2, 3].map(() => api.call(key, 'POST', PATH, { name: 'Race' })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  it('is listed newest first, in pages, for the teams one may see', async () => {
    const account = await buildAccount(stores.db);
    const types = [await buildRecordType(api, account), await buildRecordType(api, account, [])];
    await buildRecordType(api, await buildAccount(stores.db));
    const { status, body } = await api.call(
      account.key,
      'GET',
      `${PATH}?per_page=1&team_id=${account.team.id}`,
    );
    expect(status).toBe(200);
    fits('get', PATH, body);
    expect(body.record_types.map(({ id }: { id: number }) => id)).toEqual([types[1]!.id]);
    expect(body.meta).toMatchObject({ count: 2, pages: 2, previous_page: null });
    expect((await api.call(account.key, 'GET', PATH)).body.record_types).toHaveLength(2);
  });

  it('gets new, renamed and deleted fields at once; the others stay', async () => {
    const account = await buildAccount(stores.db);
    const type = await buildRecordType(api, account);
    const { status, body } = await api.call(account.key, 'PUT', `${PATH}/${type.id}`, {
      name: 'Renamed',
      fields: [
        { id: fieldId(type, 'Text'), name: 'Number' },
        { id: String(fieldId(type, 'Number')), name: 'Text' },
        { id: fieldId(type, 'Choice'), fixed_values: ['red', 'black'] },
        { name: 'Flag', result_type: 'TEXT' },
      ],
      field_ids_to_delete: [fieldId(type, 'Flag')],
    });
    expect(status).toBe(200);
    fits('put', `${PATH}/:id`, body);
    expect(body.name).toBe('Renamed');
    expect(body.record_fields).toEqual([
      { id: fieldId(type, 'Text'), name: 'Number', result_type: 'TEXT', fixed_values: [] },
      { id: fieldId(type, 'Number'), name: 'Text', result_type: 'NUMBER', fixed_values: [] },
      { id: fieldId(type, 'Time'), name: 'Time', result_type: 'TIMESTAMP', fixed_values: [] },
      {
        id: fieldId(type, 'Choice'),
        name: 'Choice',
        result_type: 'TEXT_ENUM',
        fixed_values: ['red', 'black'],
      },
      { id: ID, name: 'Flag', result_type: 'TEXT', fixed_values: [] },
    ]);
  });

  it('are sent back whole, and stay changeable', async () => {
    const { key } = await buildAccount(stores.db);
    const body = { name: 'Echo', editable: true, fields: [{ name: 'A', result_type: 'TEXT' }] };
    const { body: made } = await api.call(key, 'POST', PATH, body);
    const changed = await api.call(key, 'PUT', `${PATH}/${made.id}`, { ...made, name: 'Renamed' });
    expect(changed.body).toEqual({ ...made, name: 'Renamed' });
    const fixed = await api.call(key, 'POST', PATH, { ...body, editable: false });
    expect([fixed.status, details(fixed.body)]).toEqual([422, ['editable']]);
  });

  it('refuses changes that do not fit, all named, and changes nothing', async () => {
    const account = await buildAccount(stores.db);
    const type = await buildRecordType(api, account);
    const before = (await api.call(account.key, 'GET', `${PATH}/${type.id}`)).body;
    const { status, body } = await api.call(account.key, 'PUT', `${PATH}/${type.id}`, {
      fields: [
        { id: 999_999, name: 'A' },
        { id: fieldId(type, 'Story name'), name: 'Saga' },
        { id: fieldId(type, 'Text'), result_type: 'NUMBER' },
        { name: 'Time', result_type: 'TEXT' },
        { id: fieldId(type, 'Flag'), name: 'Gone' },
      ],
      field_ids_to_delete: [fieldId(type, 'Timestamp'), 888_888, fieldId(type, 'Flag')],
    });
    expect(status).toBe(422);
    expect(details(body)).toEqual([
      'field_ids_to_delete[0]',
      'field_ids_to_delete[1]',
      'fields[0].id',
      'fields[1].id',
      'fields[2].result_type',
      'fields[4].id',
      'fields[3].name',
    ]);
    expect((await api.call(account.key, 'GET', `${PATH}/${type.id}`)).body).toEqual(before);
  });

  it('is deleted with its records, which nobody sees from then on', async () => {
    const account = await buildAccount(stores.db);
    const type = await buildRecordType(api, account);
    const other = await buildRecordType(api, account);
    const [parent = 0] = await insertMany(stores, type, [{ values: { Text: 'a' } }]);
    const [child = 0] = await insertMany(stores, other, [{ values: {}, parentId: parent }]);
    const { status, body } = await api.call(account.key, 'DELETE', `${PATH}/${type.id}`);
    expect([status, body]).toEqual([204, undefined]);
    for (const path of [
      `${PATH}/${type.id}`,
      `/api/v1/records/${parent}`,
      `/api/v1/records?record_type_id=${type.id}`,
    ]) {
      expect((await api.call(account.key, 'GET', path)).status).toBe(404);
    }
    expect((await api.call(account.key, 'GET', `/api/v1/records/${child}`)).body.parent_id).toBeNull();
  });
});

const writes = (id: number): [string, string, unknown?][] => [
  ['POST', PATH, { name: 'New' }],
  ['PUT', `${PATH}/${id}`, { name: 'Other' }],
  ['DELETE', `${PATH}/${id}`],
];

describe('who may do what with record types', () => {
  it('nobody without a key', async () => {
    for (const [method, path, body] of [['GET', PATH], ['GET', `${PATH}/1`], ...writes(1)] as const) {
      expect((await api.call(undefined, method, path, body)).status).toBe(401);
    }
  });

  it('a VIEWER reads only', async () => {
    const account = await buildAccount(stores.db);
    const type = await buildRecordType(api, account);
    const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    expect((await api.call(viewer.key, 'GET', `${PATH}/${type.id}`)).status).toBe(200);
    for (const [method, path, body] of writes(type.id)) {
      expect((await api.call(viewer.key, method, path, body)).status).toBe(403);
    }
  });

  it('another tenant and another team find nothing', async () => {
    const account = await buildAccount(stores.db);
    const type = await buildRecordType(api, account, ALL_FIELDS);
    const outsiders = [
      await buildAccount(stores.db, { owner: true }),
      await buildAccount(stores.db, { team: await buildTeam(stores.db, { tenantId: account.tenantId }) }),
    ];
    for (const { key } of outsiders) {
      expect((await api.call(key, 'GET', `${PATH}/${type.id}`)).status).toBe(404);
      expect((await api.call(key, 'PUT', `${PATH}/${type.id}`, { name: 'Mine' })).status).toBe(404);
      expect((await api.call(key, 'DELETE', `${PATH}/${type.id}`)).status).toBe(404);
      expect((await api.call(key, 'POST', PATH, { name: 'x', team_id: account.team.id })).status).toBe(404);
      expect((await api.call(key, 'GET', `${PATH}?team_id=${account.team.id}`)).status).toBe(404);
      expect((await api.call(key, 'GET', PATH)).body.record_types).toEqual([]);
    }
    const owner = await buildAccount(stores.db, { tenantId: account.tenantId, owner: true });
    expect((await api.call(owner.key, 'GET', `${PATH}/${type.id}`)).status).toBe(200);
  });
});
