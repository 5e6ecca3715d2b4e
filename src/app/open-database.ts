import type { Config } from '../config/face.js';
import { createDatabase, type Database } from '../platform/mysql/database.js';
import type { Logger } from '../platform/logger.js';

/** Creates the database of a long-running process; it connects when a connection is needed. */
export function openDatabase(config: Config, logger: Logger): Database {
  const { databaseUrl: url, databaseTls: tls, databasePoolSize: poolSize } = config;
  return createDatabase({ url, tls, poolSize, logger, watched: true });
}
