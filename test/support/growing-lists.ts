import type { FabulaClient } from '../../clients/typescript/client.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { type Account, buildAccount } from './builders.js';
import type { ManageApi, Parsed } from './manage-api.js';
import { smallExport } from './stories.js';
import type { TestStores } from './stores.js';

/** An Owner with a story. */
export interface Scene {
  account: Account;
  story: number;
  agent: number;
}

/** A list that grows at its beginning: how an item is added, and one deleted. */
export interface List {
  /** Its path and filters. */
  path(scene: Scene): string;
  plural: string;
  /** The list in the client, with its input. */
  inClient: (fabula: FabulaClient) => { all: unknown };
  input(scene: Scene): object;
  /** Adds one; returns what names it in the list. */
  add(scene: Scene): Promise<string>;
  nameOf: (item: Parsed) => string;
  /** Takes it off the list. */
  remove(name: string): Promise<unknown>;
}

export const byId = ({ id }: { id: number }) => String(id);
export const withSize = (path: string) => `${path}${path.includes('?') ? '&' : '?'}per_page=2`;

/** The lists that grow at their beginning, and walks through them. */
export function growingLists(stores: TestStores, api: ManageApi) {
  async function scene(): Promise<Scene> {
    const account = await buildAccount(stores.db, { owner: true });
    const body = { new_name: 'S', team_id: account.team.id, data: smallExport() };
    const { id } = (await api.call(account.key, 'POST /api/v1/stories/import', body)).body;
    const { agents } = (await api.call(account.key, `GET /api/v1/stories/${id}/agents`)).body;
    return { account, story: id, agent: agents[0].id };
  }

  const run = (sql: string, values: (string | number)[]) => stores.sql(sql, values);

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
      inClient: (fabula) => fabula.stories.runs,
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

  const events = (path: List['path'], inClient: List['inClient'], input: List['input']): List => ({
    path,
    plural: 'events',
    inClient,
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

  const logs = (word: string, inClient: List['inClient']): List => ({
    path: ({ agent }) => `/api/v1/${word}/${agent}/logs`,
    plural: 'action_logs',
    inClient,
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
    inClient: (fabula) => fabula.cases,
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
        inClient: (fabula) => fabula.deadLetters,
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
        inClient: (fabula) => fabula.auditLogs,
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
        (fabula) => fabula.events,
        () => ({}),
      ),
    ],
    [
      'events of a story',
      events(
        ({ story }) => `/api/v1/events?story_id=${story}`,
        (fabula) => fabula.events,
        ({ story }) => ({ story_id: story }),
      ),
    ],
    [
      'events of an action',
      events(
        ({ agent }) => `/api/v1/actions/${agent}/events`,
        (fabula) => fabula.actions.events,
        ({ agent }) => ({ id: agent }),
      ),
    ],
    ['the log of an action', logs('actions', (fabula) => fabula.actions.logs)],
    ['the log of an agent', logs('agents', (fabula) => fabula.actions.logs)],
    [
      'stories',
      {
        path: () => '/api/v1/stories?filter=LOCKED',
        plural: 'stories',
        inClient: (fabula) => fabula.stories,
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
  ];

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

  return { lists: LISTS, scene, added, walk, addRecordType, run };
}
