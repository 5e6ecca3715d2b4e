import { createDatabase, type Database } from '../src/db/database.js';
import { createSilentLogger } from '../src/logger.js';
import { createStoryGraphs, type StoryGraphs } from '../src/stories/story-graphs.js';
import { makeTeam, smallExport } from './support/stories.js';
import { useStores } from './support/stores.js';
import { useStoryApi } from './support/story-api.js';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.js';

const stores = useStores();
const api = useStoryApi(stores);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let proxy: TcpProxy;
let database: Database;
let graphs: StoryGraphs;
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
  const { story } = await api.stories.import(await makeTeam(stores.db), {
    new_name: 'First',
    data: smallExport(),
  });
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
