import type { Logger } from '../../logger.js';
import type { Database } from '../database.js';
import { unknownMigrations } from './migrate.js';

/**
 * Logs a warning when a newer version has migrated the database. This process can continue: a migration only adds what
 * older versions do not need, until none of them runs (docs/operate/rolling-release.md).
 */
export async function noteNewerSchema(database: Pick<Database, 'knex'>, logger: Logger): Promise<void> {
  const migrations = await unknownMigrations(database.knex);
  if (migrations.length > 0)
    logger.warn('the database was migrated by a newer version than this process', { migrations });
}
