import type { Config } from '../config/config.js';
import { createDatabase, type Database } from '../platform/mysql/database.js';
import type { Logger } from '../platform/logger.js';

/** The database of a process that serves for long; connections are made when they are needed. */
export function openDatabase(config: Config, logger: Logger): Database {
  const { databaseUrl: url, databaseTls: tls, databasePoolSize: poolSize } = config;
  return createDatabase({ url, tls, poolSize, logger, watched: true });
}
