import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FORMER } from '../../migrations/former.js';
import { compareWithBackup } from '../../src/operate/backup/restore-backup.js';
import type { Manifest } from '../../src/operate/backup/manifest.js';
import { SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { startProcess } from '../support/processes.js';
import { runCli } from '../support/run-cli.js';
import { storyOf } from '../support/stories.js';
import { secondStores } from '../support/second-stores.js';
import { type TestStores, useStores } from '../support/stores.js';
import { queueOf } from '../support/queue-named.js';

const stores = useStores({ ownDatabase: true });
let target: HttpTarget;
let folder = '';
let made = 0;

beforeAll(async () => {
  target = await startHttpTarget({ rules: { '/call': { body: { ok: true } } } });
  stores.onClose(() => target.close());
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-backup-'));
  stores.onClose(() => rm(folder, { recursive: true, force: true }));
});

const story = () =>
  storyOf(
    {
      Receive: ['Webhook', { path: 'backup', secret: 's3cret', verbs: 'post', include_headers: false }],
      Call: [
        'HTTPRequest',
        { url: `${target.url}/call`, method: 'post', payload: { number: '=receive.number' } },
      ],
      After: ['EventTransformation', { mode: 'message_only', payload: { number: '=receive.number' } }],
    },
    ['Receive > Call > After'],
    { name: 'Backup' },
  );

const newFolder = () => {
  made += 1;
  return path.join(folder, `backup-${made}`);
};

const emptyStores = () => secondStores(stores);

async function backup(from: TestStores, queuePrefix: string): Promise<{ place: string; manifest: Manifest }> {
  const place = newFolder();
  const env = fabulaEnvironment(from, { QUEUE_PREFIX: queuePrefix });
  const { code, out, err } = await runCli(['backup', place, '--json'], { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return { place, manifest: JSON.parse(out) as Manifest };
}

const restore = (place: string, into: TestStores, more: { args?: string[]; env?: NodeJS.ProcessEnv } = {}) =>
  runCli(['restore', place, ...(more.args ?? [])], { env: fabulaEnvironment(into, more.env) });

async function numbersThatEnded(fabula: TestFabula): Promise<number[]> {
  const events = await fabula.events();
  return events
    .filter(({ agent }) => agent === 'After')
    .map(({ payload }) => (payload as { number: number }).number);
}

async function settled({ db, sql }: TestStores): Promise<void> {
  await eventually(async () => {
    await sql(
      `UPDATE deliveries SET due_at = NOW(3) WHERE state = 'pending'
       AND created_at < NOW(3) - INTERVAL 2 SECOND AND due_at > NOW(3) + INTERVAL 10 SECOND`,
    );
    return (await db.read((session) => session.rows('SELECT id FROM deliveries'))).length === 0;
  }, 60_000);
}

/** Fires one request after the other until it is stopped; keeps the numbers that were accepted. */
function fireWithoutEnd(fabula: TestFabula, address: string) {
  const accepted: number[] = [];
  const end = new AbortController();
  const shooting = (async () => {
    for (let number = 0; !end.signal.aborted; number += 1) {
      if ((await fabula.fire(address, { number })).status === 201) accepted.push(number);
    }
  })();
  return {
    accepted,
    async stop() {
      end.abort();
      await shooting;
    },
  };
}

test('a backup under load, a kill, a restore into empty stores: runs go on, none is lost or doubled', async () => {
  const web = await startFabula(stores, { queues: [], relay: false });
  const { queuePrefix } = web.config;
  const { webhooks } = await web.importStory(story());
  const env = fabulaEnvironment(stores, { QUEUE_PREFIX: queuePrefix, LOG_LEVEL: 'info' });
  await runCli(['credential', 'set', 'token', '--value', 'very-secret', '--allowed-hosts', 'example.com'], {
    env,
  });
  const worker = startProcess('workers/all', env);
  stores.onClose(() => worker.stop('SIGKILL'));
  await worker.said('worker is running');

  const load = fireWithoutEnd(web, webhooks['Receive']!);
  await eventually(async () => (await numbersThatEnded(web)).length > 20, 60_000);
  const before = [...load.accepted];
  const { place, manifest } = await backup(stores, queuePrefix);
  await eventually(() => load.accepted.length > before.length + 20, 60_000);
  await worker.stop('SIGKILL');
  await load.stop();
  await web.close();

  const second = await emptyStores();
  const { code, out, err } = await restore(place, second);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Restored: \d+ rows of \d+ tables and 0 spooled requests/);
  expect(out).toContain('A new database epoch has started.');
  expect(manifest.keys).toEqual(['ENCRYPTION_KEY']);

  const again = await startFabula(second, { env: { QUEUE_PREFIX: second.queuePrefix } });
  await settled(second);
  const ended = await numbersThatEnded(again);
  expect(ended).toHaveLength(new Set(ended).size);
  expect(before.filter((number) => !ended.includes(number))).toEqual([]);
  // The other side can tell each repeat by its key.
  const numbers = new Map<string, Set<number>>();
  for (const { headers, text } of target.requests) {
    const key = String(headers['idempotency-key']);
    numbers.set(key, (numbers.get(key) ?? new Set()).add((JSON.parse(text) as { number: number }).number));
  }
  expect([...numbers.values()].filter((each) => each.size !== 1)).toEqual([]);
  expect(numbers.size).toBeGreaterThanOrEqual(ended.length);
});

describe('a backup', () => {
  let place = '';
  beforeEach(async () => {
    const web = await startFabula(stores, { queues: [], relay: false });
    await web.importStory(story());
    const env = fabulaEnvironment(stores);
    await runCli(['credential', 'set', 'token', '--value', 'very-secret', '--allowed-hosts', 'example.com'], {
      env,
    });
    ({ place } = await backup(stores, web.config.queuePrefix));
    await web.close();
  });

  it('can be read by its owner alone, and holds no secret of the configuration', async () => {
    const files = await readdir(place, { recursive: true, withFileTypes: true });
    for (const file of files) {
      const { mode } = await stat(path.join(file.parentPath, file.name));
      expect(mode & 0o077).toBe(0);
    }
    const manifest = await readFile(path.join(place, 'manifest.json'), 'utf8');
    expect(manifest).not.toContain('ab'.repeat(32));
    expect(manifest).not.toContain('very-secret');
  });

  it('is not written over what is there', async () => {
    const { code, err } = await runCli(['backup', place], { env: fabulaEnvironment(stores) });
    expect(code).toBe(1);
    expect(err).toContain('is not empty');
  });

  it('is restored over other tables by --force alone', async () => {
    const second = await emptyStores();
    await second.sql('CREATE TABLE other (id INT PRIMARY KEY)');
    const refused = await restore(place, second);
    expect(refused.err).toContain('the database is not empty: it has 1 tables (--force deletes them)');
    expect((await restore(place, second, { args: ['--force'] })).code).toBe(0);
  });

  it('is compared with what was loaded; the statements of the page leave a copy for tests', async () => {
    const second = await emptyStores();
    expect((await restore(place, second)).code).toBe(0);
    const manifest = JSON.parse(await readFile(path.join(place, 'manifest.json'), 'utf8')) as Manifest;
    await second.sql("UPDATE stories SET name = CONCAT(name, '!')");
    await second.sql('DELETE FROM credentials');
    const found = await compareWithBackup(manifest, { url: second.databaseUrl });
    expect(found.join('; ')).toMatch(/\bcredentials\b.*\bstories\b|\bstories\b.*\bcredentials\b/);
    // The page has statements that leave a copy for tests.
    const page = await readFile('docs/operate/backup-and-restore.md', 'utf8');
    const statements = /`(DELETE FROM deliveries;[^`]*)`/.exec(page)?.[1]?.split(';').filter(Boolean) ?? [];
    expect(statements).toHaveLength(6);
    for (const statement of statements) await second.sql(statement);
    const told = await second.db.read((session) =>
      session.rows("SELECT id FROM stories WHERE JSON_LENGTH(settings, '$.recipients') > 0"),
    );
    expect(told).toEqual([]);
  });

  it('is refused while processes run', async () => {
    const second = await emptyStores();
    expect((await restore(place, second)).code).toBe(0);
    const running = await startFabula(second, { env: { QUEUE_PREFIX: second.queuePrefix }, queues: [] });
    const { code, err } = await restore(place, second);
    expect(code).toBe(1);
    expect(err).toContain('Fabula processes are running; stop them first');
    expect((await restore(place, second, { args: ['--force'] })).code).toBe(0);
    await running.close();
  });

  it('names what another key does not decrypt', async () => {
    const { code, out } = await restore(place, await emptyStores(), {
      env: { ENCRYPTION_KEY: 'cd'.repeat(32) },
    });
    expect(code).toBe(1);
    expect(out).toMatch(/Team \d+: .*token/);
  });

  it.each([
    [
      'a changed file',
      async (copy: string) => writeFile(path.join(copy, 'tables', 'stories.sql.gz'), 'nonsense'),
      'stories.sql.gz cannot be read',
    ],
    [
      'a missing file',
      async (copy: string) => rm(path.join(copy, 'tables', 'events.sql.gz')),
      'events.sql.gz cannot be read',
    ],
    [
      'a file of another table',
      async (copy: string) =>
        cp(path.join(copy, 'tables/teams.sql.gz'), path.join(copy, 'tables/users.sql.gz')),
      'users.sql.gz was changed after the backup',
    ],
    ['no manifest', async (copy: string) => rm(path.join(copy, 'manifest.json')), 'is not a complete backup'],
    [
      'a newer version',
      async (copy: string) => {
        const file = path.join(copy, 'manifest.json');
        const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
        manifest.migrations.push('20991231000000_of_the_future');
        await writeFile(file, JSON.stringify({ ...manifest, version: '99.0.0' }));
      },
      'The backup was created by Fabula 99.0.0',
    ],
    [
      'a version before 0.12.0',
      async (copy: string) => {
        const file = path.join(copy, 'manifest.json');
        const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
        const migrations = FORMER.slice(0, -1);
        await writeFile(file, JSON.stringify({ ...manifest, migrations, version: '0.11.0' }));
      },
      'The backup was created by Fabula 0.11.0; restore it with 0.12.0, then upgrade to this version',
    ],
    [
      'a path out of the folder',
      async (copy: string) => {
        const file = path.join(copy, 'manifest.json');
        const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
        await writeFile(
          file,
          JSON.stringify({ ...manifest, schema: { ...manifest.schema, file: '../x.sql.gz' } }),
        );
      },
      'manifest.json is not valid',
    ],
  ])('is refused before anything is loaded: %s', async (_what, damage, said) => {
    const copy = newFolder();
    await cp(place, copy, { recursive: true });
    await damage(copy);
    const second = await emptyStores();
    const { code, err } = await restore(copy, second);
    expect(code).toBe(1);
    expect(err).toContain(said);
    expect(await second.db.read((session) => session.rows('SHOW TABLES'))).toEqual([]);
  });
});

test('requests that wait in the spool begin their runs after a restore, each once', async () => {
  const web = await startFabula(stores, { queues: [], relay: false });
  await web.importStory(story());
  const [webhook] = await stores.db.read((session) =>
    session.rows<{ id: number; storyId: number }>(
      "SELECT id, story_id AS storyId FROM agents WHERE name = 'Receive' ORDER BY id DESC LIMIT 1",
    ),
  );
  const spool = queueOf(web, SPOOL_QUEUE, stores);
  const guids = ['019aa000-0000-7000-8000-000000000001', '019aa000-0000-7000-8000-000000000002'];
  for (const [number, guid] of guids.entries()) {
    const payload = JSON.stringify({ number });
    const data = { guid, storyId: webhook!.storyId, agentId: webhook!.id, source: 'webhook', payload };
    await spool.add('run', data, { jobId: `run-${guid}` });
  }
  // One of them was set aside: it is tried again.
  const setAside = await stores.redis.rpop(spool.toKey('wait'));
  await stores.redis.zadd(spool.toKey('failed'), 1, setAside!);
  const { place, manifest } = await backup(stores, web.config.queuePrefix);
  expect(manifest.spool?.jobs).toBe(2);
  await web.close();

  const second = await emptyStores();
  const env = { QUEUE_PREFIX: second.queuePrefix };
  expect((await restore(place, second, { env })).code).toBe(0);
  // A second time, into the same Redis: what is there already stays as it is.
  expect((await restore(place, second, { env, args: ['--force'] })).code).toBe(0);
  const again = await startFabula(second, { env });
  await eventually(async () => (await numbersThatEnded(again)).length >= 2, 60_000);
  await settled(second);
  expect(new Set(await numbersThatEnded(again))).toEqual(new Set([0, 1]));
  expect(await numbersThatEnded(again)).toHaveLength(2);
});

test('--without-spool needs no Redis', async () => {
  const place = newFolder();
  const env = fabulaEnvironment(stores, { REDIS_URL: 'redis://127.0.0.1:1' });
  const refused = await runCli(['backup', newFolder()], { env });
  expect(refused.err).toContain('ECONNREFUSED');
  const { code, out } = await runCli(['backup', place, '--without-spool', '--json'], { env });
  expect(code).toBe(0);
  expect((JSON.parse(out) as Manifest).spool).toBeNull();
});
