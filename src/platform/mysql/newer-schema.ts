import type { Logger } from '../logger.js';
import type { Database } from './database.js';
import { unknownMigrations } from './migrate.js';

/**
 * Says so in the log when a newer version has migrated the database. It is safe to go on: a migration only adds what older
 * versions do without, until none of them runs (docs/operations/rolling-release.md).
 */
export async function noteNewerSchema(database: Pick<Database, 'knex'>, logger: Logger): Promise<void> {
  const migrations = await unknownMigrations(database.knex);
  if (migrations.length > 0)
    logger.warn('the database is of a newer version than this process', { migrations });
}
