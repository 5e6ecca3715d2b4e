import { createClient } from '../../clients/typescript/client.js';
import { ROUTES } from '../../src/app/routes.js';
import { newRunGuid } from '../../src/engine/state/run-guid.js';
import { type Account, buildAccount } from '../support/builders.js';
import { type Parsed, useManageApi } from '../support/manage-api.js';
import { smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

interface Scene {
  account: Account;
  story: number;
  agent: number;
}

async function scene(): Promise<Scene> {
  const account = await buildAccount(stores.db, { owner: true });
  const body = { new_name: 'S', team_id: account.team.id, data: smallExport() };
  const { id } = (await api.call(account.key, 'POST /api/v1/stories/import', body)).body;
  const { agents } = (await api.call(account.key, `GET /api/v1/stories/${id}/agents`)).body;
  return { account, story: id, agent: agents[0].id };
}

/** A list that grows at its beginning: how an item is added, and one deleted. */
interface List {
  /** Its path and filters. */
  path(scene: Scene): string;
  plural: string;
  /** The operation of the client, with its input. */
  operation: string;
  input(scene: Scene): object;
  /** Adds one; returns what names it in the list. */
  add(scene: Scene): Promise<string>;
  nameOf: (item: Parsed) => string;
  /** Takes it off the list. */
  remove(name: string): Promise<unknown>;
}

const run = (sql: string, values: (string | number)[]) => stores.sql(sql, values);
const byId = ({ id }: { id: number }) => String(id);

async function addRun({ story }: Scene): Promise<string> {
  const guid = newRunGuid();
  await run("INSERT INTO story_runs (guid, story_id, source) VALUES (?, ?, 'api')", [guid, story]);
  return guid;
}

/** A delivery in this state, of a run that is stored too. */
async function addDelivery({ story, agent }: Scene, state: string): Promise<{ guid: string; id: number }> {
  const guid = newRunGuid();
  await run("INSERT INTO story_runs (guid, story_id, source) VALUES (?, ?, 'api')", [guid, story]);
  const { insertId } = await run(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, due_at, failed_at)
     VALUES (?, ?, ?, 1, 'trigger', 1, ?, 'x', NOW(3), NOW(3))`,
    [guid, story, agent, state],
  );
  return { guid, id: insertId };
}

const runs = (status: string, add: List['add'], remove: List['remove']): [string, List] => [
  status === '' ? 'runs of a story' : `${status} runs of a story`,
  {
    path: ({ story }) => `/api/v1/stories/${story}/runs${status === '' ? '' : `?status=${status}`}`,
    plural: 'story_runs',
    operation: 'listStoryRuns',
    input: ({ story }) => ({ id: story, ...(status !== '' && { status }) }),
    add,
    nameOf: ({ guid }) => guid,
    remove,
  },
];

const deleteRun = (guid: string) => run('DELETE FROM story_runs WHERE guid = ?', [guid]);
const endRun = (guid: string) => run('DELETE FROM deliveries WHERE story_run_guid = ?', [guid]);
const cancelled = async (where: Scene) => {
  const guid = await addRun(where);
  await run('UPDATE story_runs SET cancelled_at = NOW(3) WHERE guid = ?', [guid]);
  return guid;
};
const deliveryIn = (state: string) => async (where: Scene) => (await addDelivery(where, state)).guid;

const events = (path: List['path'], operation: string, input: List['input']): List => ({
  path,
  plural: 'events',
  operation,
  input,
  async add({ story, agent }) {
    const { insertId } = await run(
      "INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) VALUES (?, ?, ?, '{}', '{}')",
      [newRunGuid(), story, agent],
    );
    return String(insertId);
  },
  nameOf: byId,
  remove: (id) => run('DELETE FROM events WHERE id = ?', [id]),
});

const logs = (word: string, operation: string): List => ({
  path: ({ agent }) => `/api/v1/${word}/${agent}/logs`,
  plural: 'action_logs',
  operation,
  input: ({ agent }) => ({ id: agent }),
  async add({ agent }) {
    const { insertId } = await run(
      "INSERT INTO agent_logs (agent_id, story_run_guid, level, message) VALUES (?, ?, 20, 'x')",
      [agent, newRunGuid()],
    );
    return String(insertId);
  },
  nameOf: byId,
  remove: (id) => run('DELETE FROM agent_logs WHERE id = ?', [id]),
});

const cases = (query: string): List => ({
  path: ({ account }) => `/api/v2/cases?team_id=${account.team.id}${query === '' ? '' : `&${query}`}`,
  plural: 'cases',
  operation: 'listCases',
  input: ({ account }) => ({ team_id: account.team.id, ...Object.fromEntries(new URLSearchParams(query)) }),
  async add({ account }) {
    const body = { team_id: account.team.id, name: 'C' };
    return String((await api.call(account.key, 'POST /api/v2/cases', body)).body.case_id);
  },
  nameOf: (item) => String(item.case_id),
  remove: (id) => run('DELETE FROM cases WHERE id = ?', [id]),
});

async function addRecordType({ key, team }: Account): Promise<number> {
  const fields = [{ name: 'F', result_type: 'TEXT' }];
  const body = { name: newRunGuid(), team_id: team.id, fields };
  return (await api.call(key, 'POST /api/v1/record_types', body)).body.id;
}

const LISTS: [string, List][] = [
  runs('', addRun, deleteRun),
  runs('completed', addRun, deleteRun),
  runs('cancelled', cancelled, deleteRun),
  runs('running', deliveryIn('pending'), endRun),
  runs('failed', deliveryIn('failed'), endRun),
  [
    'dead letters',
    {
      path: ({ story }) => `/api/v1/dead_letters?story_id=${story}`,
      plural: 'dead_letters',
      operation: 'listDeadLetters',
      input: ({ story }) => ({ story_id: story }),
      add: async (where) => String((await addDelivery(where, 'failed')).id),
      nameOf: byId,
      remove: (id) => run('DELETE FROM deliveries WHERE id = ?', [id]),
    },
  ],
  [
    'the audit log',
    {
      path: () => '/api/v1/audit_logs?action=thing.create',
      plural: 'audit_logs',
      operation: 'listAuditLogs',
      input: () => ({ action: ['thing.create'] }),
      async add({ account }) {
        const { insertId } = await run(
          `INSERT INTO audit_logs (guid, tenant_id, user_id, action, target_type, method, path, request_id, created_at)
           VALUES (UUID(), ?, ?, 'thing.create', 'thing', 'POST', '/things', 'x', NOW(3))`,
          [account.tenantId, account.user.id],
        );
        return String(insertId);
      },
      nameOf: byId,
      remove: (id) => run('DELETE FROM audit_logs WHERE id = ?', [id]),
    },
  ],
  [
    'events',
    events(
      () => '/api/v1/events',
      'listEvents',
      () => ({}),
    ),
  ],
  [
    'events of a story',
    events(
      ({ story }) => `/api/v1/events?story_id=${story}`,
      'listEvents',
      ({ story }) => ({ story_id: story }),
    ),
  ],
  [
    'events of an action',
    events(
      ({ agent }) => `/api/v1/actions/${agent}/events`,
      'listActionEvents',
      ({ agent }) => ({ id: agent }),
    ),
  ],
  ['the log of an action', logs('actions', 'listActionLogs')],
  ['the log of an agent', logs('agents', 'listAgentLogs')],
  [
    'stories',
    {
      path: () => '/api/v1/stories?filter=LOCKED',
      plural: 'stories',
      operation: 'listStories',
      input: () => ({ filter: 'LOCKED' }),
      async add({ account, story }) {
        const { insertId } = await run(
          `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, keep_events_for, extra, locked)
           SELECT tenant_id, team_id, user_id, 'T', LEFT(SHA2(UUID(), 256), 32), schema_version, language, keep_events_for, extra, 1
           FROM stories WHERE id = ? AND tenant_id = ?`,
          [story, account.tenantId],
        );
        return String(insertId);
      },
      nameOf: byId,
      remove: (id) => run('DELETE FROM stories WHERE id = ?', [id]),
    },
  ],
  ['cases', cases('')],
  ['cases, asked for newest first', cases('order=CREATED_DESC')],
  [
    'record types',
    {
      path: ({ account }) => `/api/v1/record_types?team_id=${account.team.id}`,
      plural: 'record_types',
      operation: 'listRecordTypes',
      input: ({ account }) => ({ team_id: account.team.id }),
      add: async ({ account }) => String(await addRecordType(account)),
      nameOf: byId,
      remove: (id) => run('DELETE FROM record_types WHERE id = ?', [id]),
    },
  ],
];

const withSize = (path: string) => `${path}${path.includes('?') ? '&' : '?'}per_page=2`;

/** Adds items, and gives what names them, newest first. */
async function added(list: List, where: Scene, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let n = 0; n < count; n += 1) names.unshift(await list.add(where));
  return names;
}

/** Walks as any client does: by `next_page`. Between pages it does `between`. */
async function walk(list: List, where: Scene, between: (seen: string[]) => Promise<unknown>) {
  const pages: string[][] = [];
  let next: string | null = withSize(list.path(where));
  for (let asked = 0; next !== null && asked < 20; asked += 1) {
    const { body, status } = await api.call(where.account.key, `GET ${next}`);
    expect({ status, body: status === 200 ? [] : body }).toEqual({ status: 200, body: [] });
    pages.push(body[list.plural].map(list.nameOf));
    expect(Object.keys(body.meta)).toEqual([
      'current_page',
      'previous_page',
      'next_page',
      'next_page_number',
      'per_page',
      'pages',
      'count',
    ]);
    expect(body.meta.next_page_number).toBe(body.meta.next_page === null ? null : asked + 2);
    next = body.meta.next_page === null ? null : body.meta.next_page.slice(api.fabula().url.length);
    if (next !== null) await between(pages.flat());
  }
  return pages;
}

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
      // Those of the last page, with the one on which the next page would be built.
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
    const items = fabula.all(
      list.operation as 'listStoryRuns',
      { ...list.input(where), per_page: 2 } as never,
    );
    for await (const item of items) {
      found.push(list.nameOf(item));
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
            message: '"cursor" must be the one in `next_page` of the page before in this list',
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

it('A18 clients: lists that say newest first have a place to go on from', () => {
  const without = ROUTES.filter(
    ({ summary, query, method }) =>
      method === 'get' &&
      /newest (line )?first/.test(summary) &&
      (query?.describe() as { keys?: object } | undefined)?.keys !== undefined &&
      !('cursor' in (query!.describe() as { keys: object }).keys),
  );
  // The search of runs has `before`, and looks at a bounded number of runs for each page.
  expect(without.map(({ path }) => path)).toEqual(['/api/v1/runs']);
});

it('A18 clients: the walk through the versions of a story has each once', async () => {
  const where = await scene();
  const { key } = where.account;
  const path = `/api/v1/stories/${where.story}/versions`;
  const list: List = {
    path: () => path,
    plural: 'story_versions',
    operation: 'listStoryVersions',
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
    operation: 'listRecords',
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
  const all = createClient({ url: api.fabula().url, key: where.account.key }).all('listRecords', {
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
  const message = `"cursor" cannot be combined with this "${parameter}": only a list that is newest first is walked so. Ask by "page"`;
  expect([status, body.errors]).toEqual([422, [{ message, details: 'cursor' }]]);
  const byNumber = await api.call(account.key, `GET ${path}&per_page=1`);
  expect(byNumber.body.meta.current_page).toMatch(/page=1$/);
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
