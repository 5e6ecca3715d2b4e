import { buildAccount } from '../../support/builders.js';
import { useManageApi } from '../../support/manage-api.js';
import { sendRaw } from '../../support/raw-http.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

/** The actions in the audit log, newest first. */
const actionsOf = async (key: string, query: string) =>
  (await api.call(key, `GET /api/v1/audit_logs?${query}`)).body.audit_logs.map(
    ({ action }: { action: string }) => action,
  );

const page = async (path: string) => {
  const response = await fetch(api.fabula().url + path);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  };
};

describe('B16: a value of type json is taken as a list or an object', () => {
  test.each<[unknown, unknown, string]>([
    [{ a: 1 }, { a: 1 }, 'object'],
    [[1], [1], 'array'],
    ['{}', {}, 'object'],
    ['{"a":[1]}', { a: [1] }, 'object'],
    [' [1,{"b":null}] ', [1, { b: null }], 'array'],
  ])('%j', async (value, stored, type) => {
    const { key } = await buildAccount(stores.db);
    const body = { name: 'Made', value, value_type: 'json' };
    const made = await api.call(key, 'POST /api/v1/global_resources', body);
    expect([made.status, JSON.parse(made.body.value), made.body.value_type]).toEqual([201, stored, type]);
    const path = `/api/v1/global_resources/${made.body.id}`;
    const changed = await api.call(key, `PATCH ${path}`, { value, value_type: 'json' });
    expect([changed.status, JSON.parse(changed.body.value)]).toEqual([200, stored]);
    expect((await api.call(key, `GET ${path}?typed_value=true`)).body.value).toEqual(stored);
  });

  test.each(['text', '"a"', '', '{', 'null'])('refuses the text %j', async (value) => {
    const { key } = await buildAccount(stores.db);
    const body = { name: 'Made', value, value_type: 'json' };
    expect((await api.call(key, 'POST /api/v1/global_resources', body)).status).toBe(422);
  });
});

describe('B16: a path whose id is no digits is no endpoint', () => {
  test.each([
    'PUT /api/v2/cases/batch',
    'GET /api/v1/stories/latest/export',
    'GET /api/v1/records/1e0',
    'GET /api/v1/records/1.0',
    'GET /api/v1/records/+1',
    'DELETE /api/v1/teams/1/members/me',
  ])('%s', async (request) => {
    const { key } = await buildAccount(stores.db, { owner: true });
    const { status, body } = await api.call(key, request, request.startsWith('GET') ? undefined : {});
    expect({ status, body }).toEqual({
      status: 404,
      body: { errors: [{ message: `${request} not found` }] },
    });
  });

  test('without a key it is 401, as any request', async () => {
    expect((await api.call(null, 'DELETE /api/v1/stories/batch', {})).status).toBe(401);
  });

  test('digits that name nothing are a missing item', async () => {
    const { key } = await buildAccount(stores.db);
    expect((await api.call(key, 'DELETE /api/v1/stories/987654')).body.errors[0].message).toMatch(
      /^Story not/,
    );
  });
});

describe('B16: folders and types without a team get the first team of their user', () => {
  test.each([
    ['/api/v1/folders', { name: 'F' }],
    ['/api/v1/record_types', { name: 'T', fields: [] }],
  ])('%s', async (path, body) => {
    const { key, team } = await buildAccount(stores.db);
    const made = await api.call(key, `POST ${path}`, body);
    expect([made.status, made.body.team_id]).toEqual([201, team.id]);
  });
});

describe('B16: the filters of the audit log have two names', () => {
  test('after, before and operation_name are from, to and action', async () => {
    const owner = await buildAccount(stores.db, { owner: true });
    const folder = await api.call(owner.key, 'POST /api/v1/folders', { name: 'F' });
    await api.call(owner.key, `PATCH /api/v1/folders/${folder.body.id}`, { name: 'G' });
    await api.call(owner.key, `DELETE /api/v1/folders/${folder.body.id}`);
    const all = ['folder.delete', 'folder.update', 'folder.create'];
    expect(await actionsOf(owner.key, 'after=2020-01-01&before=2120-01-01')).toEqual(all);
    expect(await actionsOf(owner.key, 'after=2120-01-01')).toEqual([]);
    expect(await actionsOf(owner.key, 'before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await actionsOf(owner.key, 'operation_name=folder.update')).toEqual(['folder.update']);
    const two = 'operation_name[]=folder.update&operation_name[]=folder.create';
    expect(await actionsOf(owner.key, two)).toEqual(['folder.update', 'folder.create']);
    expect(await actionsOf(owner.key, `user_id[]=${owner.user.id}&action[]=folder.delete`)).toEqual([
      'folder.delete',
    ]);
  });

  test.each([
    ['action', 'operation_name', 'a'],
    ['from', 'after', '2026-01-01'],
    ['to', 'before', '2026-01-01'],
  ])('%s and %s together are refused', async (one, other, value) => {
    const { key } = await buildAccount(stores.db, { owner: true });
    expect((await api.call(key, `GET /api/v1/audit_logs?${one}=${value}&${other}=${value}`)).status).toBe(
      422,
    );
  });
});

describe('B12: an absolute-form request gets right links to its pages', () => {
  test.each([
    ['folders', ''],
    ['folders', '&team_id=TEAM'],
    ['record_types', ''],
  ])('%s%s', async (list, more) => {
    const { key, team } = await buildAccount(stores.db);
    for (const name of ['A', 'B']) await api.call(key, `POST /api/v1/${list}`, { name, fields: undefined });
    const { url } = api.fabula();
    const path = `/api/v1/${list}?per_page=1${more.replace('TEAM', String(team.id))}`;
    const head = `GET ${url}${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nX-User-Token: ${key}\r\nConnection: close\r\n\r\n`;
    const response = await sendRaw(url, head);
    const { next_page: next } = JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).meta;
    expect(next).toBe(`${url}${path}&page=2`);
    const second = await api.call(key, `GET ${next.slice(url.length)}`);
    expect(second.body[list]).toHaveLength(1);
  });

  test('the Link header of stories too', async () => {
    const { key } = await buildAccount(stores.db);
    const { url } = api.fabula();
    const head = `GET ${url}/api/v1/stories?page=1 HTTP/1.1\r\nHost: ${new URL(url).host}\r\nX-User-Token: ${key}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(url, head)).toContain(`<${url}/api/v1/stories?page=1>; rel="first"`);
  });
});

describe('B16: the url of a case is a page that tells how to read it', () => {
  test('without a key, and the same for a case that does not exist', async () => {
    const { key, team } = await buildAccount(stores.db);
    const body = { name: 'Not to be seen', team_id: team.id };
    const made = await api.call(key, 'POST /api/v2/cases', body);
    const { pathname, origin } = new URL(made.body.url);
    expect([origin, pathname]).toEqual([api.fabula().url, `/cases/${made.body.case_id}`]);
    const { status, type, text } = await page(pathname);
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`${api.fabula().url}/api/v2/cases/${made.body.case_id} `);
    const other = await page('/cases/99999999');
    const ids = new RegExp(`(Case |/cases/)${made.body.case_id}\\b`, 'g');
    expect(other).toEqual({
      status,
      type,
      text: text.replaceAll(ids, (_, before: string) => `${before}99999999`),
    });
  });

  test.each(['/cases', '/cases/abc', '/cases/1/2', '/cases/1e0', '/cases/%31x', `/cases/${'1'.repeat(21)}`])(
    '%s is none',
    async (path) => expect((await page(path)).status).toBe(404),
  );
});
