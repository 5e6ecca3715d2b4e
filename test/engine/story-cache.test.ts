import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { findStoryGraphs, findWebhookGraphs } from '../../src/stories/graph/story-graph-store.js';
import { createStoryGraphs, type StoryGraphs } from '../../src/stories/graph/story-graphs.js';
import { makeTeam, smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useStoryApi } from '../support/story-api.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();
const api = useStoryApi(stores);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let proxy: TcpProxy;
let database: Database;
let graphs: StoryGraphs;
let team: Awaited<ReturnType<typeof makeTeam>>;
let id: number;
let path: string;

/** So much later, for this process alone. */
const wait = (ms: number) => {
  const now = performance.now() + ms;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
};

beforeEach(async () => {
  proxy = await startTcpProxy(stores.databaseUrl);
  database = createDatabase({ url: proxy.url, poolSize: 2, logger: createSilentLogger() });
  graphs = createStoryGraphs(database, { staleMs: 15 * MINUTE });
  team = await makeTeam(stores.db);
  const { story } = await api.stories.import(team, { new_name: 'First', data: smallExport() });
  id = story.id;
  const [row] = await stores.db.read((session) =>
    session.rows<{ path: string }>(
      'SELECT webhook_path AS path FROM agents WHERE webhook_path IS NOT NULL AND story_id = ?',
      [id],
    ),
  );
  path = row!.path;
});

afterEach(async () => {
  jest.restoreAllMocks();
  await database.close();
  await proxy.close();
});

const nameNow = async () => (await graphs.findWebhook(path))?.story.name;
const rename = (name: string) =>
  stores.sql('UPDATE stories SET name = ?, version = version + 1 WHERE id = ?', [name, id]);

test('a webhook is known for five seconds; then the database is asked whether it has changed', async () => {
  expect(await nameNow()).toBe('First');
  await rename('Second');
  expect(await nameNow()).toBe('First');
  wait(5 * SECOND);
  expect(await nameNow()).toBe('Second');
});

test('a webhook that was deleted is known for five seconds at most', async () => {
  expect(await nameNow()).toBe('First');
  await stores.sql('DELETE FROM agents WHERE story_id = ?', [id]);
  await stores.sql('DELETE FROM stories WHERE id = ?', [id]);
  wait(5 * SECOND);
  expect(await nameNow()).toBeUndefined();
});

test('while the database is away a known webhook is served for a quarter of an hour, and no longer', async () => {
  expect(await nameNow()).toBe('First');
  proxy.cut();
  wait(14 * MINUTE);
  expect(await nameNow()).toBe('First');
  wait(2 * MINUTE);
  await expect(nameNow()).rejects.toMatchObject({ fatal: true });
  await expect(graphs.findWebhook('unknown')).rejects.toThrow();
});

/** A new version of the story, of other agents but the webhook, that is there when `statements` of a look have been answered. */
const replaceAfter =
  (statements: number): Database['read'] =>
  (work) =>
    stores.db.read((session) => {
      let answered = 0;
      const rows: typeof session.rows = async (sql, values) => {
        const found = await session.rows(sql, values);
        answered += 1;
        if (answered === statements) await replace();
        return found as never;
      };
      return work({ ...session, rows });
    });

const replace = () => {
  const { agents, ...data } = smallExport();
  const others = agents.map((agent, index) =>
    index === 0 ? agent : { ...agent, name: `Other ${index}`, guid: String(index).repeat(31) + 'e' },
  );
  return api.stories.import(team, {
    new_name: 'First',
    mode: 'versionReplace',
    data: { ...data, agents: others },
  });
};

const namesOf = (session: Session) =>
  session.rows<{ name: string }>('SELECT name FROM stories WHERE id = ?', [id]);

describe.each([
  ['as workers see it', findStoryGraphs],
  ['as web processes have it at hand', findWebhookGraphs],
])('a story %s', (_who, find) => {
  const look = (session: Session) => find(session, [id]);

  test.each([1, 2])(
    'is of one version, also when it is replaced after %i of the statements that ask for it',
    async (statements) => {
      const before = await stores.db.read(look);
      const found = await replaceAfter(statements)(look);
      const after = await stores.db.read(look);
      expect(after).not.toEqual(before);
      expect([before, after]).toContainEqual(found);
    },
  );
});

test('what is asked after a look at one state of the database sees what was committed meanwhile', async () => {
  await stores.db.read(async (session) => {
    const seen = await session.snapshot(async () => {
      const before = await namesOf(session);
      await rename('Second');
      return [...before, ...(await namesOf(session))];
    });
    expect(seen).toEqual([{ name: 'First' }, { name: 'First' }]);
    await session.transact(async () => {
      expect(await namesOf(session)).toEqual([{ name: 'Second' }]);
      await rename('Third');
      expect(await namesOf(session)).toEqual([{ name: 'Third' }]);
    });
  });
});
