import { createClient, type FabulaClient } from '../../clients/typescript/client.js';
import type { Database } from '../../src/platform/mysql/database.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { createRecordService } from '../../src/data/records/record-service.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { byId, growingLists, type List, withSize } from '../support/growing-lists.js';
import { useManageApi } from '../support/manage-api.js';
import { smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const { lists: LISTS, scene, added, walk, addRecordType, run } = growingLists(stores, api);

describe.each(LISTS)('a walk through %s, two on a page', (_name, list) => {
  it('A18 clients: has each once, whatever is added between the pages', async () => {
    const where = await scene();
    const names = await added(list, where, 6);
    expect(await walk(list, where, () => added(list, where, 3))).toEqual([
      names.slice(0, 2),
      names.slice(2, 4),
      names.slice(4),
    ]);
  });

  it('A18 clients: leaves out none, whatever is deleted between the pages', async () => {
    const where = await scene();
    const names = await added(list, where, 7);
    const found = await walk(list, where, async (seen) => {
      // Rows of the last page, with the one from which the next page would start.
      for (const name of seen.slice(-2)) await list.remove(name);
      if (seen.length === 2) await list.remove(names[2]!);
      await list.add(where);
    });
    expect(found.flat()).toEqual(names.filter((name) => name !== names[2]));
  });

  it('A18 clients: is what the client of this project has from `all`', async () => {
    const where = await scene();
    const names = await added(list, where, 5);
    const fabula = createClient({ url: api.fabula().url, key: where.account.key });
    const found: string[] = [];
    const { all } = list.inClient(fabula) as FabulaClient['stories']['runs'];
    const items = all({ ...list.input(where), per_page: 2 } as never);
    for await (const item of items) {
      found.push(list.nameOf(item));
      // A walk by numbers would never end.
      if (found.length > names.length) break;
      await list.add(where);
    }
    expect(found).toEqual(names);
  });

  it('A18 clients: goes by numbers too, as before', async () => {
    const where = await scene();
    const names = await added(list, where, 5);
    const page = async (number: number) =>
      (await api.call(where.account.key, `GET ${withSize(list.path(where))}&page=${number}`)).body;
    const third = await page(3);
    expect(third[list.plural].map(list.nameOf)).toEqual(names.slice(4));
    expect(third.meta).toMatchObject({ next_page: null, next_page_number: null, pages: 3, count: 5 });
    expect(third.meta.previous_page).toMatch(/page=2$/);
    expect((await page(4))[list.plural]).toEqual([]);
  });

  it('A18 clients: refuses a place that is none, and says so', async () => {
    const where = await scene();
    for (const cursor of ['x', '-1', '12-', '1e3', '12-13-14', "1' OR 1"]) {
      const asked = `GET ${withSize(list.path(where))}&cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await api.call(where.account.key, asked);
      expect([status, body.errors]).toEqual([
        422,
        [
          {
            message: '"cursor" must be taken from `next_page` of the previous page of this list',
            details: 'cursor',
          },
        ],
      ]);
    }
    const empty = await api.call(where.account.key, `GET ${withSize(list.path(where))}&cursor=`);
    expect(empty.status).toBe(200);
  });
});

it('A18 clients: a place among items of the same moment is exact', async () => {
  const where = await scene();
  const [, list] = LISTS[0]!;
  const names = await added(list, where, 5);
  await run("UPDATE story_runs SET created_at = '2026-01-01 00:00:00.007' WHERE story_id = ?", [where.story]);
  expect((await walk(list, where, async () => undefined)).flat()).toEqual(names);
});

it('A18 clients: the walk through the versions of a story has each once', async () => {
  const where = await scene();
  const { key } = where.account;
  const path = `/api/v1/stories/${where.story}/versions`;
  const list: List = {
    path: () => path,
    plural: 'story_versions',
    inClient: (fabula) => fabula.stories.versions,
    input: ({ story }) => ({ id: story }),
    async add() {
      await api.call(key, `PUT /api/v1/stories/${where.story}`, { description: newRunGuid() });
      return String((await api.call(key, `POST ${path}`, { name: newRunGuid() })).body.id);
    },
    nameOf: byId,
    remove: () => Promise.resolve(),
  };
  await added(list, where, 4);
  const names = (await api.call(key, `GET ${path}`)).body.story_versions.map(byId);
  expect((await walk(list, where, () => added(list, where, 3))).flat()).toEqual(names);
});

it('A18 clients: the walk through records has each once, with filters too', async () => {
  const where = await scene();
  const typeId = await addRecordType(where.account);
  const fieldId = (
    await api.call(where.account.key, `GET /api/v1/record_types/${typeId}`)
  ).body.record_fields.find(({ name }: { name: string }) => name === 'F').id;
  const list: List = {
    path: () =>
      `/api/v1/records?record_type_id=${typeId}&filters[0][field_id]=${fieldId}&filters[0][operator]=EQUAL&filters[0][value]=x`,
    plural: 'record_results',
    inClient: (fabula) => fabula.records,
    input: () => ({ record_type_id: typeId }),
    async add({ account }) {
      const body = { record_type_id: typeId, field_values: [{ field_id: fieldId, value: 'x' }] };
      return String((await api.call(account.key, 'POST /api/v1/records', body)).body.id);
    },
    nameOf: byId,
    remove: () => Promise.resolve(),
  };
  const names = await added(list, where, 5);
  expect((await walk(list, where, () => added(list, where, 3))).flat()).toEqual(names);
  const all = createClient({ url: api.fabula().url, key: where.account.key }).records.all({
    record_type_id: typeId,
    per_page: 2,
  });
  const found: unknown[] = [];
  for await (const item of all) {
    found.push((item as { id: number }).id);
    if (found.length < 5) await list.add(where);
  }
  expect(new Set(found).size).toBe(found.length);
});

it.each([
  ['cases', '/api/v2/cases?order=NAME_ASC', 'order'],
  ['cases, oldest first', '/api/v2/cases?order=asc', 'order'],
  ['stories', '/api/v1/stories?order=NAME', 'order'],
])('A18 clients: %s in another order are asked for by number alone', async (_name, path, parameter) => {
  const { account } = await scene();
  const { status, body } = await api.call(account.key, `GET ${path}&cursor=1795253412000-4711`);
  const message = `"cursor" cannot be combined with this "${parameter}", because it requires newest-first order. Use "page" instead`;
  expect([status, body.errors]).toEqual([422, [{ message, details: 'cursor' }]]);
  const byNumber = await api.call(account.key, `GET ${path}&per_page=1`);
  expect(byNumber.body.meta.current_page).toMatch(/page=1$/);
});

/** Deletes these once, when the ids of a page are known. */
const deleting = (gone: number[]): Pick<Database, 'read'> => ({
  read: (work) =>
    stores.db.read((session) =>
      work({
        ...session,
        rows: async <Row>(sql: string, values: SqlValue[] = []) => {
          const rows = await session.rows<Row>(sql, values);
          if (gone.length > 0 && rows.length === 3 && /records r\b.*LIMIT/s.test(sql))
            await stores.sql('DELETE FROM records WHERE id IN (?)', [gone.splice(0)]);
          return rows;
        },
      }),
    ),
});

it('A18 clients: the walk through records goes on when some go while a page is read', async () => {
  const { account } = await scene();
  const typeId = await addRecordType(account);
  const ids: number[] = [];
  for (let n = 0; n < 6; n++)
    ids.unshift((await api.call(account.key, 'POST /api/v1/records', { record_type_id: typeId })).body.id);
  const pageWithout = (gone: number[]) =>
    createRecordService({ database: { ...stores.db, ...deleting(gone) } }).list(
      account.actor,
      { record_type_id: typeId },
      { offset: 0, limit: 2 },
    );
  const one = await pageWithout([ids[1]!]);
  expect([one.records.map(({ id }) => id), one.next?.id]).toEqual([[ids[0]], ids[0]]);
  const other = await pageWithout([ids[0]!, ids[2]!]);
  expect([other.records.map(({ id }) => id), other.next?.id]).toEqual([[ids[3], ids[4]], ids[4]]);
});

it('A18 clients: records in another order are asked for by number alone', async () => {
  const { account } = await scene();
  const typeId = await addRecordType(account);
  const path = `/api/v1/records?record_type_id=${typeId}&order_direction=asc`;
  const { status, body } = await api.call(account.key, `GET ${path}&cursor=1795253412000-4711`);
  expect([status, body.errors[0].details]).toEqual([422, 'cursor']);
  expect((await api.call(account.key, `GET ${path}`)).status).toBe(200);
});

it('A18 clients: the header Link of stories leads to the same pages', async () => {
  const where = await scene();
  for (let n = 0; n < 2; n += 1) {
    const body = { new_name: `T${n}`, team_id: where.account.team.id, data: smallExport() };
    await api.call(where.account.key, 'POST /api/v1/stories/import', body);
  }
  const { body, headers } = await api.call(where.account.key, 'GET /api/v1/stories?per_page=2');
  expect(headers.get('link')).toContain(`<${body.meta.next_page}>; rel="next"`);
  expect(body.meta.next_page).toContain('cursor=');
});
