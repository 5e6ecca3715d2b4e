import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { createDatabase } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import type { DatabaseRights } from '../../src/operate/embedded/database-account.js';
import { type EmbeddedStores, startEmbeddedStores } from '../../src/operate/embedded/stores.js';
import { FAST_DATABASE, makeFastFolder } from './fast-folder.js';
import { type TestStores, writeOutside } from './stores.js';

const SERVERS = path.join(__dirname, '..', '..', '.cache', 'servers');

/** Servers that a test may stop, empty and kill. What is not private is the test file's own. */
export interface PrivateStores extends TestStores {
  embedded: EmbeddedStores;
  /** Kills Redis (-9), removes all it had, and starts it again on the same port. */
  replaceRedis(): Promise<void>;
}

/** Starts them; they stop, and their data goes, with the test file's stores. */
export async function startPrivateStores(
  shared: TestStores,
  needs: { database?: boolean; redis?: boolean; rights?: DatabaseRights },
): Promise<PrivateStores> {
  const dataDir = await makeFastFolder('fabula-private-');
  const embedded = await startEmbeddedStores({
    dataDir,
    needDatabase: needs.database ?? false,
    needRedis: needs.redis ?? false,
    serversDir: SERVERS,
    bufferPoolMb: 64,
    databaseArguments: FAST_DATABASE,
    databaseRights: needs.rights ?? 'own',
    log: () => undefined,
  });
  shared.onClose(async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const databaseUrl = embedded.databaseUrl ?? shared.databaseUrl;
  const redisUrl = embedded.redisUrl ?? shared.redisUrl;
  const { logger } = shared;
  const db =
    needs.database === true
      ? createDatabase({ url: databaseUrl, poolSize: 4, logger, statementTimeoutMs: 60_000 })
      : shared.db;
  if (db !== shared.db) {
    shared.onClose(() => db.close());
    await migrateLatest(db);
  }
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  shared.onClose(() => redis.disconnect());
  return {
    db,
    redis,
    logger,
    databaseUrl,
    redisUrl,
    queuePrefix: `${shared.queuePrefix}-private`,
    sql: (text, values) => writeOutside(db, text, values),
    onClose: (close) => shared.onClose(close),
    embedded,
    async replaceRedis() {
      const exited = new Promise((resolve) => embedded.onExit(resolve));
      process.kill(embedded.redis!.pid!, 'SIGKILL');
      await exited;
      const folder = path.join(dataDir, 'redis');
      for (const entry of await readdir(folder)) await rm(path.join(folder, entry), { recursive: true });
      await embedded.revive('redis');
    },
  };
}
