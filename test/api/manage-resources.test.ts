import { append, remove, replace } from '../../src/data/resources/resource-parts.js';
import { asType } from '../../src/data/resources/resource-value.js';
import type { JsonValue } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const RESOURCES = '/api/v1/global_resources';

async function withResource(value: JsonValue) {
  const account = await buildAccount(stores.db);
  const resource = (await api.call(account.key, `POST ${RESOURCES}`, { name: 'List', value })).body;
  return { account, key: account.key, resource, path: `${RESOURCES}/${resource.id}` };
}

describe('resources', () => {
  it('are made, given and listed, key by key', async () => {
    const { account, key, resource, path } = await withResource([{ a: 1 }]);
    expect(resource).toEqual({
      id: expect.any(Number),
      name: 'List',
      slug: 'list',
      value: '[{"a":1}]',
      value_type: 'array',
      team_id: account.team.id,
      folder_id: null,
      user_id: account.user.id,
      description: '',
      read_access: 'TEAM',
      shared_team_slugs: [],
      test_resource_enabled: false,
      test_resource: null,
      created_at: TIME,
      updated_at: TIME,
    });
    expect((await api.call(key, `GET ${path}`)).body).toEqual(resource);
    expect(
      (await api.call(key, `GET ${RESOURCES}?team_id=${account.team.id}`)).body.global_resources,
    ).toEqual([resource]);
    expect((await api.call(key, `DELETE ${path}`, {})).status).toBe(204);
    expect((await api.call(key, `GET ${path}`)).status).toBe(404);
  });

  it('take the calls of real stories', async () => {
    const { account, key } = await withResource('');
    const text = { name: 'subscription', team_id: String(account.team.id), value: 'abc', value_type: 'text' };
    expect((await api.call(key, `POST ${RESOURCES}`, text)).body).toMatchObject({
      value: 'abc',
      value_type: 'text',
    });
    const list = (await api.call(key, `POST ${RESOURCES}`, { name: 'run', value_type: 'array', value: [] }))
      .body;
    const path = `${RESOURCES}/${list.id}`;
    expect((await api.call(key, `POST ${path}/append`, { value: [{ ip: '1.1.1.1' }] })).body).toEqual([
      { ip: '1.1.1.1' },
    ]);
    expect((await api.call(key, `PUT ${path}/`, { value: '["a"]', value_type: 'array' })).body).toMatchObject(
      { value: '["a"]', value_type: 'array' },
    );
    const clear = { read_access: 'TEAM', value: [], description: 'x', shared_team_slugs: [], is_test: false };
    expect((await api.call(key, `PUT ${path}`, clear)).body).toMatchObject({
      value: '[]',
      description: 'x',
    });
    await api.call(key, `POST ${path}/append`, { value: 'evil.example', is_test: 'false' });
    expect((await api.call(key, `POST ${path}/remove`, { index: '0', is_test: false })).body).toBe(
      'evil.example',
    );
    expect((await api.call(key, `GET ${path}?typed_value=true`)).body.value).toEqual([]);
  });

  it('lose nothing of what is appended at the same time', async () => {
    const { key, path } = await withResource([]);
    const numbers = Array.from({ length: 25 }, (_, index) => index);
    const responses = await Promise.all(
      numbers.map((value) => api.call(key, `POST ${path}/append`, { value })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { value } = (await api.call(key, `GET ${path}?typed_value=true`)).body;
    expect((value as number[]).toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('stay below their size', async () => {
    const { key, path } = await withResource('x'.repeat(3_000_000));
    const response = await api.call(key, `POST ${path}/append`, { value: 'x'.repeat(1_500_000) });
    expect(response.status).toBe(413);
    expect((await api.call(key, `GET ${path}`)).body.value).toHaveLength(3_000_000);
  });

  it('have one name each in a team, and stand in its folders', async () => {
    const { key, path, account } = await withResource('x');
    expect((await api.call(key, `POST ${RESOURCES}`, { name: 'List', value: '' })).status).toBe(409);
    const other = (await api.call(key, `POST ${RESOURCES}`, { name: 'Other', value: '' })).body;
    expect((await api.call(key, `PUT ${RESOURCES}/${other.id}`, { name: 'List' })).status).toBe(409);
    const folder = (await api.call(key, 'POST /api/v1/folders', { name: 'F', team_id: account.team.id }))
      .body;
    expect((await api.call(key, `PATCH ${path}`, { folder_id: folder.id })).body.folder_id).toBe(folder.id);
    await api.call(key, `DELETE /api/v1/folders/${folder.id}`);
    expect((await api.call(key, `GET ${path}`)).body.folder_id).toBeNull();
    expect((await api.call(key, `PUT ${path}`, { folder_id: folder.id })).status).toBe(404);
  });

  it('are not found by others, and only read by a VIEWER', async () => {
    const { account, path } = await withResource([1]);
    const stranger = await buildAccount(stores.db, { owner: true });
    const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    const writes: [string, object | undefined][] = [
      [`PUT ${path}`, { value: '' }],
      [`POST ${path}/append`, { value: '' }],
      [`POST ${path}/remove`, { index: 0 }],
      [`POST ${path}/replace`, { index: 0, value: '' }],
      [`DELETE ${path}`, undefined],
    ];
    for (const [request, body] of writes) {
      expect((await api.call(viewer.key, request, body)).status).toBe(403);
      expect((await api.call(stranger.key, request, body)).status).toBe(404);
      expect((await api.call(null, request, body)).status).toBe(401);
    }
    expect((await api.call(viewer.key, `GET ${path}`)).body.value).toBe('[1]');
  });

  it.each([
    [{ value: 5 }, ['name']],
    [{ name: 'a', value: null }, ['value']],
    [{ name: 'a', value: 'x', value_type: 'array' }, ['value']],
    [{ name: 'a', value: 'x', value_type: 'json' }, ['value']],
    [{ name: 'a', value: 'null', value_type: 'json' }, ['value']],
    [{ name: 'a', value: [1], value_type: 'text' }, ['value']],
    [{ name: 'a', value: 'x', read_access: 'SPECIFIC_TEAMS' }, ['shared_team_slugs']],
    [
      { name: 'a', value: 'x', read_access: 'SPECIFIC_TEAMS', shared_team_slugs: ['nobody'] },
      ['shared_team_slugs[0]'],
    ],
    [{ name: 'a', value: 'x', read_access: 'EVERYBODY' }, ['read_access']],
    [{ name: 'a', value: 'x', is_test: true }, ['is_test']],
    [{ name: 'a', value: 'x', nonsense: 1 }, ['nonsense']],
  ])('refuse %j', async (body, wrong) => {
    const { key } = await buildAccount(stores.db);
    const response = await api.call(key, `POST ${RESOURCES}`, body);
    expect([response.status, places(response)]).toEqual([422, wrong]);
  });

  it.each([
    ['append', 'x', { value: {} }, ['value']],
    ['append', {}, { value: [] }, ['value']],
    ['append', [], {}, ['value']],
    ['remove', [1], { index: 1 }, ['index']],
    ['remove', [1], { key: 'a' }, ['index']],
    ['remove', {}, { index: 1 }, ['key']],
    ['remove', 'x', { index: 0 }, ['index']],
    ['remove', {}, { key: 'a', index: 1 }, [undefined]],
    ['replace', [1], { index: -2, value: 1 }, ['index']],
    ['replace', [1], { index: 0 }, ['value']],
  ])('refuse to %s on %j with %j', async (part, value, body, wrong) => {
    const { key, path } = await withResource(value);
    const response = await api.call(key, `POST ${path}/${part}`, body);
    expect([response.status, places(response)]).toEqual([422, wrong]);
  });
});

describe('a resource’s value', () => {
  it.each<[JsonValue, JsonValue, JsonValue]>([
    ['a', 'b', 'ab'],
    ['a', 5, 'a5'],
    [[1], [2, 3], [1, 2, 3]],
    [[1], { a: 1 }, [1, { a: 1 }]],
    [[1], null, [1, null]],
    [{ a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
  ])('%j with %j appended is %j', (value, addition, expected) => {
    expect(append(value, addition)).toEqual(expected);
  });

  it('loses and changes elements and keys, odd ones too', () => {
    const odd = JSON.parse('{"__proto__": 1, "a": 2}') as JsonValue;
    expect(remove([1, 2, 3], { index: -1 })).toEqual({ value: [1, 2], response: 3 });
    expect(JSON.stringify(remove(odd, { key: 'a' }).value)).toBe('{"__proto__":1}');
    expect(JSON.stringify(replace(odd, { key: '__proto__' }, { element: 5 }).value)).toBe(
      '{"__proto__":5,"a":2}',
    );
    expect(remove({ a: 1 }, { key: 'b' })).toEqual({ value: { a: 1 }, response: null });
    expect(replace([1, 2], { index: 1 }, { element: [3] })).toEqual({ value: [1, [3]], response: [3] });
  });

  it('is of the type that is said, where text can be', () => {
    expect(asType('{"a":1}', 'object')).toEqual({ a: 1 });
    expect(asType('[1]', 'text')).toBe('[1]');
    expect(asType('[1]', undefined)).toEqual([1]);
    expect(asType('5', undefined)).toBe('5');
    expect(asType('{a', undefined)).toBe('{a');
    expect(asType('5', 'json')).toBe(5);
    expect(asType('true', 'boolean')).toBe(true);
    expect(asType(5, 'text')).toBe('5');
    expect(() => asType([1], 'text')).toThrow('value_type');
  });
});
