import { createSilentLogger } from '../../src/platform/logger.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { createEmptyDatabase } from './test-server.js';
import type { TestStores } from './stores.js';

const COPY_EVERY_MS = 100;

/** A database beside that of the test file, which follows it as a replica does: a test decides when and in which tables. */
export type CopiedReplica = Awaited<ReturnType<typeof createCopiedReplica>>;

/** Creates it, migrated and empty; it is removed with the stores. */
export async function createCopiedReplica(stores: TestStores) {
  const { url, drop } = await createEmptyDatabase();
  const db: Database = createDatabase({ url, poolSize: 2, logger: createSilentLogger() });
  await migrateLatest(db);
  const main = new URL(stores.databaseUrl).pathname.slice(1);
  const copy = async (...tables: string[]) => {
    for (const table of tables) {
      await db.read((session) => session.run(`REPLACE INTO ${table} SELECT * FROM ${main}.${table}`));
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let copying: Promise<unknown> = Promise.resolve();
  const pause = async () => {
    clearInterval(timer);
    await copying;
  };
  stores.onClose(async () => {
    await pause();
    await db.close();
    await drop();
  });
  return {
    url,
    db,
    copy,
    /** Follows the row that shows how far a replica is, and nothing else, until `pause`; what it shows is up to `everyMs` old. */
    follow(everyMs = COPY_EVERY_MS) {
      timer = setInterval(() => {
        copying = copying.then(() => copy('settings'));
      }, everyMs);
    },
    pause,
  };
}
