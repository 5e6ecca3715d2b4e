import { type Account, buildAccount, buildTeam } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { buildRecordType, fieldId, insertMany, routeOf, useRecordApi } from '../support/records.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useRecordApi(stores);
const PATH = '/api/v1/records';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const SECONDS = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

const fits = (method: string, path: string, body: unknown) =>
  expect(routeOf(method, path).docs?.response?.validate(body, { convert: false }).error).toBeUndefined();

const details = (body: { errors: { details?: string }[] }) => body.errors.map((error) => error.details);

async function scene() {
  const account = await buildAccount(stores.db);
  const type = await buildRecordType(api, account);
  const field = (name: string) => fieldId(type, name);
  const post = (body: object = {}) =>
    api.call(account.key, 'POST', PATH, { record_type_id: type.id, ...body });
  const put = (id: number, body: unknown) => api.call(account.key, 'PUT', `${PATH}/${id}`, body);
  const get = async (id: number) => (await api.call(account.key, 'GET', `${PATH}/${id}`)).body;
  const newId = async (body: object = {}) => (await post(body)).body.id as number;
  return { ...account, account, type, field, post, put, get, newId };
}

async function buildCase({ tenantId, team }: Account): Promise<number> {
  const { insertId } = await stores.sql(
    `INSERT INTO cases (tenant_id, team_id, name, status, priority, metadata, closure_conditions)
       VALUES (?, ?, 'Case', 'OPEN', 'LOW', '{}', '[]')`,
    [tenantId, team.id],
  );
  return insertId;
}

/** Statements of this test's database that wait for a lock on a case. */
const waitingForLocks = () =>
  stores.db.read(async (session) => {
    const [here] = await session.rows<{ name: string }>('SELECT DATABASE() AS name');
    const all = await session.rows<{ db: string; Info: string | null }>('SHOW FULL PROCESSLIST');
    return all.filter(
      ({ db, Info }) => db === here!.name && Info?.startsWith('UPDATE cases SET claims') === true,
    ).length;
  });

const valueOf = (record: { records: { name: string; value: unknown }[] }, name: string) =>
  record.records.find((entry) => entry.name === name)?.value;

describe('creating a record', () => {
  it('gives the whole record, key by key', async () => {
    const { account, type, field, post, newId, get } = await scene();
    const parent = await newId();
    const caseId = await buildCase(account);
    const { status, body } = await post({
      field_values: [
        { field_id: String(field('Text')), value: 'ö "quoted"' },
        { field_id: field('Number'), value: ' 12.50 ' },
        { field_id: field('Time'), value: '2026-11-21T11:00:00.9+02:00' },
        { field_id: field('Flag'), value: 'False' },
        { field_id: field('Choice'), value: 'red' },
      ],
      parent_record_id: parent,
      case_ids: [caseId, caseId],
      test_mode: true,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      created_at: TIME,
      updated_at: TIME,
      story: null,
      story_run_guid: null,
      record_type: { id: type.id, name: type.name },
      records: [
        { field_id: String(field('Story name')), name: 'Story name', value: null },
        { field_id: String(field('Timestamp')), name: 'Timestamp', value: SECONDS },
        { field_id: String(field('Text')), name: 'Text', value: 'ö "quoted"' },
        { field_id: String(field('Number')), name: 'Number', value: '12.5' },
        { field_id: String(field('Time')), name: 'Time', value: '2026-11-21 09:00:00' },
        { field_id: String(field('Flag')), name: 'Flag', value: 'false' },
        { field_id: String(field('Choice')), name: 'Choice', value: 'red' },
      ],
      child_records: [],
      test_mode: true,
      parent_id: parent,
      case_ids: [caseId],
    });
    fits('post', PATH, body);
    expect(await get(body.id)).toEqual(body);
    expect((await get(parent)).child_records).toEqual([{ id: body.id, records: body.records }]);
  });

  it.each([
    ['Number', 'abc'],
    ['Number', true],
    ['Number', '1e999'],
    ['Number', [1]],
    ['Number', '9007199254740993'],
    ['Number', 2 ** 53],
    ['Text', 2 ** 53],
    ['Time', 'yesterday'],
    ['Time', 5],
    ['Time', '2026-02-30'],
    ['Flag', 1],
    ['Flag', 'yes'],
    ['Choice', 'mauve'],
    ['Text', { a: 1 }],
    ['Text', true],
    ['Text', '\ud800'],
    ['Text', 'x'.repeat(131_073)],
  ])('refuses in %s the value %j', async (name, value) => {
    const { field, post } = await scene();
    const { status, body } = await post({ field_values: [{ field_id: field(name), value }] });
    expect([status, details(body)]).toEqual([422, ['field_values[0].value']]);
  });

  it.each([
    ['Text', '', null],
    ['Text', null, null],
    ['Text', 5, '5'],
    ['Text', ' ', ' '],
    ['Number', '', null],
    ['Number', '-0', '0'],
    ['Number', '1e21', '1e+21'],
    ['Number', '9007199254740992', '9007199254740992'],
    ['Time', '20261121T1000', '2026-11-21 10:00:00'],
    ['Time', '2026-11-21', '2026-11-21 00:00:00'],
    ['Flag', true, 'true'],
    ['Choice', null, null],
    ['Text', 'x'.repeat(131_072), 'x'.repeat(131_072)],
  ])('takes in %s the value %j', async (name, value, shown) => {
    const { field, post } = await scene();
    const { status, body } = await post({ field_values: [{ field_id: field(name), value }] });
    expect([status, valueOf(body, name)]).toEqual([201, shown]);
  });

  it('names everything that is wrong at once', async () => {
    const { account, field, post } = await scene();
    const other = await buildAccount(stores.db, { owner: true });
    const caseOfOther = await buildCase(other);
    const { status, body } = await post({
      field_values: [
        { field_id: 999_999, value: 1 },
        { field_id: field('Timestamp'), value: '2026-01-01' },
        { field_id: field('Text'), value: 'a' },
        { field_id: field('Text'), value: 'b' },
      ],
      parent_record_id: 888_888,
      case_ids: [await buildCase(account), 777_777, caseOfOther],
    });
    expect(status).toBe(422);
    expect(details(body)).toEqual([
      'field_values[0].field_id',
      'field_values[1].field_id',
      'field_values[3].field_id',
      'parent_record_id',
      'case_ids[1]',
      'case_ids[2]',
    ]);
  });

  it.each([
    [{ colour: 1 }, ['colour']],
    [{ field_values: [{ field_id: 999_999 }] }, ['field_values[0].value', 'field_values[0].field_id']],
    [
      { field_values: [{ field_id: 999_999, value: 1, extra: 1 }] },
      ['field_values[0].extra', 'field_values[0].field_id'],
    ],
    [{ test_mode: 'maybe' }, ['test_mode']],
    [{ case_ids: 5 }, ['case_ids']],
    [{ parent_record_id: 'x' }, ['parent_record_id']],
  ])('refuses a body with %j', async (part, places) => {
    const { post } = await scene();
    const { status, body } = await post(part);
    expect([status, details(body)]).toEqual([422, places]);
  });

  it('is refused where its case is deleted in this moment, and is attached to nothing', async () => {
    const { account, newId, post } = await scene();
    const caseId = await buildCase(account);
    const parent = await newId();
    const { response } = await stores.db.transaction(async (session) => {
      await session.run('DELETE FROM cases WHERE id = ?', [caseId]);
      const under = post({ case_ids: [caseId], parent_record_id: parent });
      await eventually(async () => (await waitingForLocks()) > 0);
      return { response: under };
    });
    const { status, body } = await response;
    expect([status, details(body)]).toEqual([422, ['case_ids[0]']]);
    const left = await stores.db.read((session) => session.rows('SELECT case_id FROM case_records'));
    expect(left).toEqual([]);
  });

  it('refuses more than 256 KiB of values together', async () => {
    const { account } = await scene();
    const fields = ['A', 'B', 'C'].map((name) => ({ name, result_type: 'TEXT' as const }));
    const type = await buildRecordType(api, account, fields);
    const field_values = ['A', 'B', 'C'].map((name) => ({
      field_id: fieldId(type, name),
      value: 'x'.repeat(100_000),
    }));
    const call = (method: string, path: string, body: unknown) => api.call(account.key, method, path, body);
    const whole = await call('POST', PATH, { record_type_id: type.id, field_values });
    expect([whole.status, details(whole.body)]).toEqual([422, ['field_values']]);
    const { body } = await call('POST', PATH, {
      record_type_id: type.id,
      field_values: field_values.slice(1),
    });
    const more = await call('PUT', `${PATH}/${body.id}`, { field_values: field_values.slice(0, 1) });
    expect([more.status, details(more.body)]).toEqual([422, ['field_values']]);
  });
});

describe('updating a record', () => {
  it('sets the named values, keeps the others, and gives the whole record', async () => {
    const { field, newId, put, get } = await scene();
    const id = await newId({
      field_values: [
        { field_id: field('Text'), value: 'old' },
        { field_id: field('Number'), value: 1 },
        { field_id: field('Flag'), value: true },
      ],
    });
    const before = await get(id);
    const { status, body } = await put(id, {
      field_values: [
        { field_id: String(field('Text')), value: 'new' },
        { field_id: String(field('Number')), value: '' },
      ],
    });
    expect(status).toBe(200);
    fits('put', `${PATH}/:id`, body);
    expect(body).toEqual({
      ...before,
      updated_at: TIME,
      records: before.records.map((entry: { name: string; value: unknown }) => {
        if (entry.name === 'Text') return { ...entry, value: 'new' };
        return entry.name === 'Number' ? { ...entry, value: null } : entry;
      }),
    });
    expect(await get(id)).toEqual(body);
  });

  it('changes nothing with an empty body', async () => {
    const { newId, put, get } = await scene();
    const id = await newId();
    const before = await get(id);
    expect(await put(id, {})).toMatchObject({ status: 200, body: before });
  });

  it('adds and removes children; what is so already is no error', async () => {
    const { newId, put } = await scene();
    const [parent, a, b, c] = [await newId(), await newId(), await newId(), await newId()];
    const children = async (body: object) => {
      const response = await put(parent, body);
      expect(response.status).toBe(200);
      return response.body.child_records.map(({ id }: { id: number }) => id);
    };
    expect(await children({ add_child_records: [b, String(a), b] })).toEqual([a, b]);
    expect(await children({ add_child_records: [a, c] })).toEqual([a, b, c]);
    expect(await children({ add_child_records: [], remove_child_records: [b, b] })).toEqual([a, c]);
    expect(await children({ remove_child_records: [b, parent] })).toEqual([a, c]);
  });

  it('refuses unknown records, its own ancestors, a second parent and another team’s', async () => {
    const { account, newId, put, get } = await scene();
    const [root, middle, leaf, alone] = [await newId(), await newId(), await newId(), await newId()];
    await put(root, { add_child_records: [middle] });
    await put(middle, { add_child_records: [leaf] });
    const secondTeam = await buildAccount(stores.db, { tenantId: account.tenantId });
    const [foreign = 0] = await insertMany(stores, await buildRecordType(api, secondTeam), [{ values: {} }]);
    const owner = await buildAccount(stores.db, { tenantId: account.tenantId, owner: true });
    const { status, body } = await api.call(owner.key, 'PUT', `${PATH}/${leaf}`, {
      add_child_records: [alone, leaf, middle, root, 999_999, foreign],
      remove_child_records: [777_777, foreign],
    });
    expect([status, details(body)]).toEqual([
      422,
      [
        'add_child_records[1]',
        'add_child_records[2]',
        'add_child_records[3]',
        'add_child_records[4]',
        'add_child_records[5]',
        'remove_child_records[0]',
      ],
    ]);
    expect((await get(leaf)).child_records).toEqual([]);
    expect((await get(alone)).parent_id).toBeNull();
    const second = await put(alone, { add_child_records: [leaf] });
    expect([second.status, details(second.body)]).toEqual([422, ['add_child_records[0]']]);
    const hidden = await put(alone, { add_child_records: [foreign] });
    expect(hidden.body.errors[0].message).toBe(`add_child_records[0] is not a record: ${foreign}`);
  });

  it('makes no cycle when two updates would close it together', async () => {
    const { newId, put } = await scene();
    const [a, b] = [await newId(), await newId()];
    const responses = await Promise.all([
      put(a, { add_child_records: [b] }),
      put(b, { add_child_records: [a] }),
    ]);
    expect(responses.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 422]);
  });

  it('does all of it or nothing', async () => {
    const { field, newId, put, get } = await scene();
    const id = await newId({ field_values: [{ field_id: field('Text'), value: 'old' }] });
    const child = await newId();
    const { status, body } = await put(id, {
      field_values: [
        { field_id: field('Text'), value: 'new' },
        { field_id: field('Number'), value: 'x' },
      ],
      add_child_records: [child, 999_999],
    });
    expect([status, details(body)]).toEqual([422, ['field_values[1].value', 'add_child_records[1]']]);
    expect(valueOf(await get(id), 'Text')).toBe('old');
    expect((await get(id)).child_records).toEqual([]);
  });

  it('loses no value when two updates meet', async () => {
    const { field, newId, put, get } = await scene();
    const id = await newId();
    const names = ['Text', 'Number', 'Flag', 'Choice'] as const;
    const values = { Text: 'a', Number: 1, Flag: true, Choice: 'red' };
    await Promise.all(
      names.map((name) => put(id, { field_values: [{ field_id: field(name), value: values[name] }] })),
    );
    const record = await get(id);
    expect(names.map((name) => valueOf(record, name))).toEqual(['a', '1', 'true', 'red']);
  });
});

describe('deleting a record', () => {
  it('removes it and its values; children stay without a parent', async () => {
    const { account, key, field, newId, put, get } = await scene();
    const [id, child] = [
      await newId({ field_values: [{ field_id: field('Text'), value: 'x' }] }),
      await newId(),
    ];
    await put(id, { add_child_records: [child] });
    const caseId = await buildCase(account);
    await stores.sql('INSERT INTO case_records (case_id, record_id) VALUES (?, ?)', [caseId, id]);
    const { status, body } = await api.call(key, 'DELETE', `${PATH}/${id}`);
    expect([status, body]).toEqual([204, undefined]);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await api.call(key, method, `${PATH}/${id}`)).status).toBe(404);
    }
    expect((await get(child)).parent_id).toBeNull();
    const [left] = await stores.db.read((session) =>
      session.rows<{ n: number }>(
        'SELECT (SELECT COUNT(*) FROM record_values WHERE record_id = ?) + (SELECT COUNT(*) FROM case_records) AS n',
        [id],
      ),
    );
    expect(left).toEqual({ n: 0 });
  });

  it('is counted once when two delete it at the same time', async () => {
    const { key, type, newId } = await scene();
    const [id] = [await newId(), await newId()];
    const responses = await Promise.all([1, 2].map(() => api.call(key, 'DELETE', `${PATH}/${id}`)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404]);
    const { body } = await api.call(key, 'GET', `${PATH}?record_type_id=${type.id}`);
    expect(body.meta.count).toBe(1);
  });
});

describe('who may do what with records', () => {
  it('nobody without a key', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['GET', `${PATH}/1`],
      ['PUT', `${PATH}/1`],
      ['DELETE', `${PATH}/1`],
    ] as const) {
      expect((await api.call(undefined, method, path)).status).toBe(401);
    }
  });

  it('a VIEWER reads only', async () => {
    const { team, type, newId } = await scene();
    const id = await newId();
    const { key } = await buildAccount(stores.db, { team, role: 'VIEWER' });
    expect((await api.call(key, 'GET', `${PATH}/${id}`)).status).toBe(200);
    expect((await api.call(key, 'GET', `${PATH}?record_type_id=${type.id}`)).status).toBe(200);
    expect((await api.call(key, 'POST', PATH, { record_type_id: type.id })).status).toBe(403);
    expect((await api.call(key, 'PUT', `${PATH}/${id}`, {})).status).toBe(403);
    expect((await api.call(key, 'DELETE', `${PATH}/${id}`)).status).toBe(403);
  });

  it('another tenant and another team find nothing', async () => {
    const { account, type, field, newId } = await scene();
    const id = await newId();
    const outsiders = [
      await buildAccount(stores.db, { owner: true }),
      await buildAccount(stores.db, { team: await buildTeam(stores.db, { tenantId: account.tenantId }) }),
    ];
    for (const { key } of outsiders) {
      expect((await api.call(key, 'GET', `${PATH}/${id}`)).status).toBe(404);
      expect((await api.call(key, 'PUT', `${PATH}/${id}`, {})).status).toBe(404);
      expect((await api.call(key, 'DELETE', `${PATH}/${id}`)).status).toBe(404);
      expect((await api.call(key, 'POST', PATH, { record_type_id: type.id })).status).toBe(404);
      expect((await api.call(key, 'GET', `${PATH}?record_type_id=${type.id}`)).status).toBe(404);
      const byField = await api.call(key, 'GET', `${PATH}?record_field_ids=${field('Text')}`);
      expect([byField.status, details(byField.body)]).toEqual([422, ['record_field_ids[0]']]);
    }
  });

  it.each(['0', '-1', 'x', '1.5', '99999999999999999999'])('there is no record %s', async (id) => {
    const { key } = await scene();
    expect((await api.call(key, 'GET', `${PATH}/${id}`)).status).toBe(404);
  });
});
