import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';
import { markOf } from '../../src/operate/embedded/process-identity.js';
import {
  type EmbeddedStores,
  readRunningStores,
  startEmbeddedStores,
} from '../../src/operate/embedded/stores.js';

const SERVERS = path.join(__dirname, '../../.cache/servers');
jest.setTimeout(15 * 60_000);

let dataDir: string;
let running: EmbeddedStores[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'fabula-embedded-'));
});

afterEach(async () => {
  await Promise.all(running.map((stores) => stores.stop()));
  running = [];
  await rm(dataDir, { recursive: true, force: true });
});

async function start(overrides: { dataDir?: string; needDatabase?: boolean; needRedis?: boolean } = {}) {
  const stores = await startEmbeddedStores({
    dataDir,
    needDatabase: true,
    needRedis: true,
    serversDir: SERVERS,
    bufferPoolMb: 64,
    log: () => undefined,
    ...overrides,
  });
  running.push(stores);
  return stores;
}

async function query(url: string | undefined, sql: string): Promise<unknown> {
  const connection = await mysql.createConnection({ uri: url!, connectTimeout: 2_000 });
  try {
    return (await connection.query(sql))[0];
  } finally {
    connection.destroy();
  }
}

async function withRedis<T>(url: string | undefined, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url!, { retryStrategy: null, maxRetriesPerRequest: 0, lazyConnect: true });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition did not come true in 10 s');
    await pause(20);
  }
}

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

describe('the embedded stores', () => {
  it('keep their data from one start to the next', async () => {
    const first = await start();
    await query(first.databaseUrl, 'CREATE TABLE kept (id INT PRIMARY KEY)');
    await query(first.databaseUrl, 'INSERT INTO kept VALUES (7)');
    await withRedis(first.redisUrl, (redis) => redis.set('kept', 'yes'));
    await first.stop();

    const second = await start();
    expect(await query(second.databaseUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
    expect(await withRedis(second.redisUrl, (redis) => redis.get('kept'))).toBe('yes');
  });

  it('let the processes of `npm start` in by the socket of the database, with the same account', async () => {
    const stores = await start({ needRedis: false });
    const who = 'SELECT USER() AS user, DATABASE() AS name';
    expect(await query(stores.localDatabaseUrl, who)).toEqual([{ user: 'fabula@localhost', name: 'fabula' }]);
    expect(await query(stores.databaseUrl, who)).toEqual([{ user: 'fabula@127.0.0.1', name: 'fabula' }]);
    const stranger = stores.localDatabaseUrl!.replace(/:[0-9a-f]{16,}@/, ':guessed@');
    await expect(query(stranger, who)).rejects.toThrow('Access denied');
    let hasEnded = false;
    stores.onExit(() => (hasEnded = true));
    process.kill(stores.mysql!.pid!, 'SIGKILL');
    await until(() => hasEnded);
    await stores.revive('mysql');
    expect(await query(stores.localDatabaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('commit to disk, read committed, in UTC and utf8mb4, and Redis evicts nothing', async () => {
    const stores = await start();
    const [settings] = (await query(
      stores.databaseUrl,
      `SELECT @@innodb_flush_log_at_trx_commit AS flush, @@global.time_zone AS zone, @@max_connections AS connections,
              @@character_set_server AS charset, @@max_allowed_packet AS packet, @@bind_address AS address`,
    )) as Record<string, unknown>[];
    expect(settings).toEqual({
      flush: 1,
      zone: '+00:00',
      connections: 300,
      charset: 'utf8mb4',
      packet: 64 * 1024 * 1024,
      address: '127.0.0.1',
    });
    const wanted = { appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction', save: '' };
    for (const [name, value] of Object.entries(wanted)) {
      const got = await withRedis(stores.redisUrl, (redis) => redis.call('CONFIG', 'GET', name));
      expect(got).toEqual([name, value]);
    }
  });

  it('let nobody in without the password, and hide it from other users', async () => {
    const stores = await start();
    for (const user of ['root', 'fabula', '']) {
      const url = `mysql://${user}@127.0.0.1:${stores.mysql!.port}/`;
      await expect(query(url, 'SELECT 1')).rejects.toThrow(/denied|not allowed/);
    }
    await expect(
      withRedis(`redis://127.0.0.1:${stores.redis!.port}`, (redis) => redis.get('kept')),
    ).rejects.toThrow();
    expect(await modeOf(path.join(dataDir, 'store-passwords.json'))).toBe('600');
    expect(await modeOf(path.join(dataDir, 'run', 'stores.json'))).toBe('600');
    expect(await modeOf(path.join(dataDir, 'run'))).toBe('700');
    for (const pid of [stores.mysql!.pid, stores.redis!.pid]) {
      const { mysql_password, redis_password } = JSON.parse(
        await readFile(path.join(dataDir, 'store-passwords.json'), 'utf8'),
      ) as Record<string, string>;
      const commandLine = process.platform === 'linux' ? await readFile(`/proc/${pid}/cmdline`, 'utf8') : '';
      expect(commandLine).not.toContain(mysql_password);
      expect(commandLine).not.toContain(redis_password);
    }
  });

  it('can be found by other processes while they run, and only then', async () => {
    expect(await readRunningStores(dataDir)).toBeUndefined();
    const stores = await start();
    expect(await readRunningStores(dataDir)).toEqual({
      databaseUrl: stores.databaseUrl,
      redisUrl: stores.redisUrl,
    });
    await stores.stop();
    expect(await readRunningStores(dataDir)).toBeUndefined();
  });

  it('tell of a store that dies, which comes back on its port with its data', async () => {
    const stores = await start();
    const exits: string[] = [];
    stores.onExit(({ name, signal }) => exits.push(`${name} ${signal}`));
    await query(stores.databaseUrl, 'CREATE TABLE kept (id INT PRIMARY KEY)');

    process.kill(stores.mysql!.pid!, 'SIGKILL');
    process.kill(stores.redis!.pid!, 'SIGKILL');
    await until(() => exits.length === 2);
    expect(exits.toSorted()).toEqual(['mysql SIGKILL', 'redis SIGKILL']);
    expect(await readRunningStores(dataDir)).toBeUndefined();

    await Promise.all([stores.revive('mysql'), stores.revive('redis')]);
    expect(await query(stores.databaseUrl, 'SELECT COUNT(*) AS n FROM kept')).toEqual([{ n: 0 }]);
    expect(await withRedis(stores.redisUrl, (redis) => redis.ping())).toBe('PONG');
    expect(await readRunningStores(dataDir)).toBeDefined();
    await stores.stop();
    expect(exits).toHaveLength(2);
  });

  it('that a killed process left running are stopped by the next start', async () => {
    const script = `
      import { startEmbeddedStores } from ${JSON.stringify(path.join(__dirname, '../../src/operate/embedded/stores.ts'))};
      const stores = await startEmbeddedStores({ dataDir: ${JSON.stringify(dataDir)}, needDatabase: true,
        needRedis: true, serversDir: ${JSON.stringify(SERVERS)}, bufferPoolMb: 64, log: () => {} });
      process.send({ pids: [stores.mysql.pid, stores.redis.pid] });`;
    const file = path.join(dataDir, 'left.mts');
    await writeFile(file, script);
    const owner = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: path.join(__dirname, '../..'),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const { pids } = await new Promise<{ pids: number[] }>((resolve) =>
      owner.once('message', resolve as never),
    );
    owner.kill('SIGKILL');
    expect(await Promise.all(pids.map(markOf))).not.toContain(undefined);

    const stores = await start();
    expect(await Promise.all(pids.map(markOf))).toEqual([undefined, undefined]);
    expect(await query(stores.databaseUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('leave a foreign process alone that has the pid of an old store', async () => {
    await (await start({ needDatabase: false })).stop();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      const mark = JSON.stringify({ pid: bystander.pid, began: 'another time' });
      await writeFile(path.join(dataDir, 'run', 'redis.pid.json'), mark);
      const stores = await start({ needDatabase: false });
      expect(await markOf(bystander.pid!)).toBeDefined();
      expect(stores.redis!.pid).not.toBe(bystander.pid);
    } finally {
      bystander.kill('SIGKILL');
    }
  });

  it('work below a folder whose path is too long for a socket, and remove the one made elsewhere', async () => {
    const deep = path.join(dataDir, 'd'.repeat(60), 'e "quoted" name'.repeat(3));
    const stores = await start({ dataDir: deep });
    const [{ socket } = { socket: deep }] = (await query(
      stores.databaseUrl,
      'SELECT @@socket AS socket',
    )) as {
      socket: string;
    }[];
    expect(socket.startsWith(deep)).toBe(false);
    // It is elsewhere at each start: those who have its address would lose it.
    expect(stores.localDatabaseUrl).toBe(stores.databaseUrl);
    expect(existsSync(socket)).toBe(true);
    await stores.stop();
    expect(existsSync(path.dirname(socket))).toBe(false);
  });

  it('say with the end of its log why a store does not start', async () => {
    await (await start({ needRedis: false })).stop();
    await rm(path.join(dataDir, 'mysql', 'ibdata1'));
    await writeFile(path.join(dataDir, 'mysql', 'ibdata1'), 'not a table space');
    await expect(start({ needRedis: false })).rejects.toThrow(/mysql did not start:\n[^]*InnoDB/);
    expect(existsSync(path.join(dataDir, 'run', 'mysql.pid.json'))).toBe(false);
  });
});
