import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Redis } from 'ioredis';
import { createDatabase } from '../../../src/platform/mysql/database.js';
import { migrateLatest } from '../../../src/platform/mysql/schema/migrate.js';
import { type EmbeddedStores, startEmbeddedStores } from '../../../src/operate/embedded/stores.js';
import { createSilentLogger } from '../../../src/platform/logger.js';

const SERVERS = path.join(__dirname, '..', '..', '..', '.cache', 'servers');
let dataDir: string;
let stores: EmbeddedStores;

const start = (options: { databaseRights?: 'own' | 'all'; needRedis?: boolean } = {}) =>
  startEmbeddedStores({
    dataDir,
    needDatabase: true,
    needRedis: false,
    serversDir: SERVERS,
    bufferPoolMb: 32,
    log: () => undefined,
    ...options,
  });
/** Returns the database's answer, or the number of its error. */
async function ask(statement: string, url = stores.databaseUrl!): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    return (await connection.query(statement))[0];
  } catch (error) {
    return (error as { errno: number }).errno;
  } finally {
    await connection.end();
  }
}
const grants = async (url?: string) =>
  ((await ask('SHOW GRANTS', url)) as Record<string, string>[]).map((row) => Object.values(row)[0]);

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'fabula-grants-'));
  // As an older version left it.
  const older = await start({ databaseRights: 'all' });
  await older.stop();
  stores = await start({ needRedis: true });
});
afterAll(async () => {
  await stores.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the account of the embedded database', () => {
  test('has rights in its own database alone, by port and by socket, also where it had all', async () => {
    for (const url of [stores.databaseUrl!, stores.localDatabaseUrl!]) {
      const all = await grants(url);
      expect(all.filter((grant) => /ON \*\.\*/.test(grant!))).toEqual([
        expect.stringMatching(/^GRANT USAGE ON \*\.\*/),
      ]);
      expect(all).toContainEqual(expect.stringMatching(/^GRANT ALL PRIVILEGES ON `fabula`\.\*/));
      expect(all.join()).not.toMatch('GRANT OPTION');
    }
  });

  test.each([
    ['reads files', "SELECT LOAD_FILE('/etc/passwd') AS text", [{ text: null }]],
    ['writes files', "SELECT 'x' INTO OUTFILE '/tmp/fabula-embedded-account'", 1045],
    ['sees other databases', 'SELECT * FROM mysql.global_priv', 1142],
    ['makes databases', 'CREATE DATABASE other', 1044],
    ['makes accounts', "CREATE USER someone IDENTIFIED BY 'x'", 1227],
    ['changes the server', 'SET GLOBAL max_connections = 5', 1227],
    ['gives rights away', "GRANT ALL ON fabula.* TO 'fabula'@'localhost'", 1044],
    ['loads code', "INSTALL SONAME 'ha_example'", 1142],
    ['sends files of the client', "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE fabula.x", 4166],
  ])('never %s', async (_what, statement, answer) => {
    const said = await ask(statement);
    expect(typeof answer === 'number' ? typeof said : said).toEqual(
      typeof answer === 'number' ? 'number' : answer,
    );
  });

  test('exchanges files with an empty folder of ours only, whoever asks', async () => {
    const [row] = (await ask('SELECT @@secure_file_priv AS folder, VERSION() AS version')) as {
      folder: string | null;
      version: string;
    }[];
    // NULL: with MySQL no folder, but with MariaDB every folder.
    if (!/mariadb/i.test(row!.version)) return expect(row!.folder).toBeNull();
    expect(row!.folder).not.toBeNull();
    expect(path.relative(path.join(dataDir, 'run'), row!.folder!)).toMatch(/^mysql-files\/?$/);
    expect(await readdir(row!.folder!)).toEqual([]);
  });

  test('is enough for what the product does with it', async () => {
    const db = createDatabase({ url: stores.localDatabaseUrl!, poolSize: 2, logger: createSilentLogger() });
    try {
      await migrateLatest(db);
      await db.facts();
      expect(
        await db.groupTransaction((session) => session.rows('SELECT COUNT(*) AS n FROM events')),
      ).toEqual([{ n: 0 }]);
    } finally {
      await db.close();
    }
  });
});

test('the embedded Redis loads no code and follows no other server', async () => {
  const redis = new Redis(stores.redisUrl!);
  try {
    for (const [command, ...args] of [
      ['MODULE', 'LIST'],
      ['DEBUG', 'SLEEP', '0'],
      ['REPLICAOF', '127.0.0.1', '1'],
      ['SLAVEOF', '127.0.0.1', '1'],
    ] as [string, ...string[]][]) {
      await expect(redis.call(command, ...args)).rejects.toThrow('unknown command');
    }
    expect(await redis.ping()).toBe('PONG');
  } finally {
    redis.disconnect();
  }
});
