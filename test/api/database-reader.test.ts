import { READER_ROUTES } from '../../src/app/reader/reader-routes.js';
import { ROUTES } from '../../src/app/routes.js';
import { readConfig } from '../../src/config/config.js';
import { databaseReaderCheck } from '../../src/operate/doctor/checks/database/database-reader-check.js';
import { openReadReplica } from '../../src/platform/mysql/reader/read-replica.js';
import { type Account, buildAccount } from '../support/builders.js';
import { type CopiedReplica, createCopiedReplica } from '../support/copied-replica.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { figuresIn } from '../support/metric-text.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';
import { createEmptyDatabase } from '../support/test-server.js';

const stores = useStores({ ownDatabase: true });
const LIMIT_MS = 240_000;
/** A replica is left, and a write is no longer recent, after 15 seconds. */
const CHANGE_MS = 40_000;
/** The least limit that DATABASE_READ_MAX_LAG_SECONDS may have, and what a replica may lag within it. */
const LEAST_LAG_MS = 2_000;
const SLOW_COPY_MS = 400;
/** The folder that only the replica has: whoever sees it has read there. */
const MARK = 'only on the replica';

let replica: CopiedReplica;
/** Two web processes, and what both of them read from. */
let webs: [TestFabulaHere, TestFabulaHere];
let writer: Account;
let other: Account;

beforeAll(async () => {
  replica = await createCopiedReplica(stores);
  const env = {
    DATABASE_READ_URL: replica.url,
    DATABASE_READ_MAX_LAG_SECONDS: '15',
    QUEUE_PREFIX: `${stores.queuePrefix}-reader`,
  };
  const start = () => startFabulaHere(stores, { env, queues: [], relay: false });
  webs = [await start(), await start()];
}, LIMIT_MS);

beforeEach(async () => {
  await replica.db.read((session) => session.run('DELETE FROM folders'));
  writer = await buildAccount(stores.db);
  other = await buildAccount(stores.db, { team: writer.team });
  await replica.db.read((session) =>
    session.run('INSERT INTO folders (id, team_id, name) VALUES (1000000, ?, ?)', [writer.team.id, MARK]),
  );
  replica.follow();
});
afterEach(() => replica.pause());

async function foldersOf(web: TestFabulaHere, account: Account): Promise<string[]> {
  const response = await web.as(account).api('GET', `/api/v1/folders?team_id=${account.team.id}`);
  const { folders } = (await response.json()) as { folders: { name: string }[] };
  return folders.map(({ name }) => name).toSorted();
}

const readsThere = async (web: TestFabulaHere, account: Account) =>
  (await foldersOf(web, account)).includes(MARK);

test(
  'who has just written reads the main database, in every web process; others, and later the writer, read the replica',
  async () => {
    await eventually(() => readsThere(webs[1], writer));
    const made = await webs[0]
      .as(writer)
      .api('POST', '/api/v1/folders', { name: 'new', team_id: writer.team.id, content_type: 'STORY' });
    expect(made.status).toBe(201);
    expect(await foldersOf(webs[1], writer)).toEqual(['new']);
    expect(await foldersOf(webs[0], writer)).toEqual(['new']);
    await eventually(() => readsThere(webs[0], other));
    await eventually(() => readsThere(webs[1], writer), CHANGE_MS);
  },
  LIMIT_MS,
);

test(
  'a replica that lags is left, and used again when it has caught up',
  async () => {
    await eventually(() => readsThere(webs[0], other));
    await replica.pause();
    await eventually(async () => !(await readsThere(webs[0], other)), CHANGE_MS);
    replica.follow();
    await eventually(() => readsThere(webs[0], other));
    const figures = figuresIn((await webs[0].web.core.metrics?.text('web')) ?? '');
    expect(figures.sum('fabula_list_reads_total', { place: 'reader' })).toBeGreaterThan(0);
    expect(figures.sum('fabula_list_reads_total', { place: 'main_unusable' })).toBeGreaterThan(0);
    expect(figures.sum('fabula_reader_staleness_seconds')).toBeGreaterThanOrEqual(0);
    expect(figures.sum('fabula_pool_connections', { pool: 'reader' })).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test(
  'an error of the replica is no answer: the main database is asked',
  async () => {
    await eventually(() => readsThere(webs[0], other));
    await replica.db.read((session) => session.run('RENAME TABLE folders TO folders_gone'));
    try {
      expect(await foldersOf(webs[0], other)).toEqual([]);
    } finally {
      await replica.db.read((session) => session.run('RENAME TABLE folders_gone TO folders'));
    }
    // The list has what the replica does not have yet.
    const made = await webs[0]
      .as(writer)
      .api('POST', '/api/v1/stories', { name: 'new', team_id: writer.team.id });
    const story = (await made.json()) as { id: number };
    const response = await webs[0].as(other).api('GET', `/api/v1/stories/${story.id}/runs`);
    expect(response.status).toBe(200);
  },
  LIMIT_MS,
);

test(
  'each change is told once: that the replica is used, however little it may lag, and that it is not',
  async () => {
    await replica.pause();
    replica.follow(SLOW_COPY_MS);
    const { logger, lines } = recordingLogger('info');
    const options = { main: stores.db, url: replica.url, poolSize: 2, maxLagMs: LEAST_LAG_MS, logger };
    const reader = openReadReplica(options);
    const told = () =>
      lines()
        .map(({ message }) => String(message))
        .filter((message) => message.startsWith('lists are read '));
    try {
      await eventually(() => told().at(-1)?.includes('through DATABASE_READ_URL'), CHANGE_MS);
      await replica.pause();
      await eventually(() => told().at(-1)?.includes('from the primary database'), CHANGE_MS);
      await eventually(() => (reader.stalenessMs() ?? 0) > 5_000);
      // On a busy machine the replica may have lagged before.
      expect(told().filter((message, index, all) => message === all[index - 1])).toEqual([]);
    } finally {
      await reader.close();
    }
  },
  LIMIT_MS,
);

test('every route of THE list reads', () => {
  const reading = new Set(ROUTES.filter(({ method }) => method === 'get').map(({ path }) => path));
  expect([...READER_ROUTES].filter((path) => !reading.has(path))).toEqual([]);
});

/** The findings of `fabula doctor` at this address. */
const findings = async (url: string) => {
  const config = readConfig(fabulaEnvironment(stores, { DATABASE_READ_URL: url }));
  const { database, redis, queues } = webs[0].web.core;
  const context = { config, database, redis, queues } as unknown as Parameters<
    typeof databaseReaderCheck.run
  >[0];
  return (await databaseReaderCheck.run(context)).map(({ found }) => found);
};

describe('the doctor', () => {
  it('finds nothing wrong with a replica that keeps up', async () => {
    await eventually(async () => (await findings(replica.url)).length === 0);
  });

  it('names a host that is another database, that lags, or that does not respond', async () => {
    const { url, drop } = await createEmptyDatabase();
    stores.onClose(drop);
    expect(await findings(url)).toEqual([expect.stringContaining("doesn't exist")]);
    await replica.pause();
    await replica.db.read((session) =>
      session.run("UPDATE settings SET value = value - 60000 WHERE name = 'reader_beat'"),
    );
    // The main database gets a new number within a second.
    await eventually(async () => /it lags by \d+ seconds/.test((await findings(replica.url))[0] ?? ''));
    await replica.db.read((session) => session.run("DELETE FROM settings WHERE name = 'installation'"));
    await stores.sql("INSERT IGNORE INTO settings (name, value) VALUES ('installation', 'x')");
    expect(await findings(replica.url)).toEqual([expect.stringContaining('another installation')]);
    const away = new URL(replica.url);
    away.port = '1';
    expect(await findings(away.href)).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });
});
