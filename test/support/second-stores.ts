import { createDatabase } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { createEmptyDatabase, type TestStores, writeOutside } from './stores.js';

let made = 0;

/** An empty database, with tables if asked for, and an empty corner of Redis; they go with the test file's stores. */
export async function secondStores(
  stores: TestStores,
  { migrated = false }: { migrated?: boolean } = {},
): Promise<TestStores> {
  const { url, drop } = await createEmptyDatabase();
  const db = createDatabase({ url, poolSize: 4, logger: stores.logger, statementTimeoutMs: 60_000 });
  stores.onClose(async () => {
    await db.close();
    await drop();
  });
  if (migrated) await migrateLatest(db);
  made += 1;
  return {
    db,
    databaseUrl: url,
    redis: stores.redis,
    redisUrl: stores.redisUrl,
    logger: stores.logger,
    queuePrefix: `${stores.queuePrefix}-empty-${made}`,
    sql: (text, values) => writeOutside(db, text, values),
    onClose: (close) => stores.onClose(close),
  };
}
