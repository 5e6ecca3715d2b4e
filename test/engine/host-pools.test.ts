import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openPool } from '../../src/platform/mysql/connections/connection-pool.js';
import type { DatabaseTarget } from '../../src/platform/mysql/connections/connection-settings.js';
import { isConnectionError } from '../../src/platform/mysql/db-errors.js';
import type { DatabaseHosts } from '../../src/platform/mysql/hosts/database-hosts.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();

/** A pool over two proxies before the same server, and a switch between them. */
let proxies: [TcpProxy, TcpProxy];
let pool: ReturnType<typeof openPool>;
let moveTo: (proxy: TcpProxy, isLost?: boolean) => void;
/** Stands for the look at the hosts; a test may set it. */
let look: () => Promise<boolean>;

beforeEach(async () => {
  proxies = [await startTcpProxy(stores.databaseUrl), await startTcpProxy(stores.databaseUrl)];
  const listeners: Parameters<DatabaseHosts['onMove']>[0][] = [];
  let current: DatabaseTarget = { url: proxies[0].url };
  look = () => Promise.resolve(true);
  const hosts: DatabaseHosts = {
    current: () => current,
    chosen: () => Promise.resolve(),
    look: () => look(),
    onMove: (listener) => void listeners.push(listener),
    close: () => undefined,
  };
  moveTo = ({ url }, isLost = false) => {
    current = { url };
    for (const listener of listeners) listener({ isLost });
  };
  pool = openPool({ url: proxies[0].url, size: 1, hosts, reach: undefined, logger: stores.logger });
});
afterEach(async () => {
  for (const proxy of proxies) proxy.restore();
  await pool.close();
  for (const proxy of proxies) await proxy.close();
});

const ownId = async (session: Session) =>
  (await session.rows<{ id: number }>('SELECT CONNECTION_ID() AS id'))[0]?.id ?? 0;
const isOpen = async (id: number) =>
  (
    await stores.db.read((session) =>
      session.rows('SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = ?', [id]),
    )
  ).length === 1;

test('work at the host before ends there, and its connection closes; other work goes to the new host at once', async () => {
  const { before, after } = await pool.withSession(async (session) => {
    const before = await ownId(session);
    moveTo(proxies[1]);
    // The pool of the host before is full: whoever waited for it would wait for ever.
    const after = await pool.withSession(ownId);
    expect(await ownId(session)).toBe(before);
    expect(pool.use()).toEqual({ used: 1, idle: 1, waiting: 0, limit: 1 });
    return { before, after };
  });
  expect(after).not.toBe(before);
  await eventually(async () => !(await isOpen(before)));
  expect(await pool.withSession(ownId)).toBe(after);
  expect(pool.use()).toEqual({ used: 0, idle: 1, waiting: 0, limit: 1 });
});

test('an idle connection to the host before closes at once', async () => {
  const before = await pool.withSession(ownId);
  moveTo(proxies[1]);
  await eventually(async () => !(await isOpen(before)));
});

test('a request that waits for a connection goes on at the new host', async () => {
  await pool.withSession(async (session) => {
    const before = await ownId(session);
    const waiting = pool.withSession(ownId);
    await eventually(() => pool.use().waiting === 1);
    moveTo(proxies[1]);
    expect(await waiting).not.toBe(before);
  });
});

test('a statement at a host that does not respond fails as on a lost connection', async () => {
  const failed = pool.withSession(async (session) => {
    await ownId(session);
    proxies[0].freeze();
    const statement = ownId(session);
    moveTo(proxies[1], true);
    return statement;
  });
  const error: unknown = await failed.catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
  await pool.withSession(ownId);
});

test('a session between two statements at a lost host fails with its next one', async () => {
  const failed = pool.withSession(async (session) => {
    const before = await ownId(session);
    proxies[0].freeze();
    moveTo(proxies[1], true);
    expect(await pool.withSession(ownId)).not.toBe(before);
    return ownId(session);
  });
  const error: unknown = await failed.catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
});

test('a host that refuses a connection is left within the request; one that all refuse is an error', async () => {
  proxies[0].cut();
  look = () => {
    moveTo(proxies[1]);
    return Promise.resolve(true);
  };
  expect(await pool.withSession(ownId)).toBeGreaterThan(0);
  proxies[1].cut();
  look = () => Promise.resolve(false);
  const error: unknown = await pool.withSession(ownId).catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
});

test('the host before may be used again while its old pool still closes', async () => {
  await pool.withSession(async (session) => {
    const before = await ownId(session);
    moveTo(proxies[1]);
    await pool.withSession(ownId);
    moveTo(proxies[0]);
    expect(await pool.withSession(ownId)).not.toBe(before);
    expect(await ownId(session)).toBe(before);
  });
  expect(pool.use().used).toBe(0);
});

it('migrations, backups, restores and the command line take the first host that serves', async () => {
  const { host } = new URL(stores.databaseUrl);
  const env = {
    DATABASE_URL: stores.databaseUrl.replace(`@${host}/`, `@127.0.0.1:1,${host}/`),
    REDIS_URL: stores.redisUrl,
  };
  expect(env.DATABASE_URL).toContain(',');
  const folder = await mkdtemp(path.join(tmpdir(), 'fabula-hosts-'));
  try {
    const backup = path.join(folder, 'copy');
    expect(await runCli(['migrate'], { env })).toMatchObject({ code: 0, err: '' });
    expect(await runCli(['tenant', 'list'], { env })).toMatchObject({ code: 0, err: '' });
    expect(await runCli(['backup', backup, '--without-spool'], { env })).toMatchObject({ code: 0 });
    // It has looked at the tables.
    expect((await runCli(['restore', backup], { env })).err).toMatch(/tables/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
