import type { Config } from './config.js';
import { createDatabase, type Database } from './db/database.js';
import type { Logger } from './logger.js';

/** The database of a process that serves for long; connections are made when they are needed. */
export function openDatabase(config: Config, logger: Logger): Database {
  const { databaseUrl: url, databaseTls: tls, databasePoolSize: poolSize } = config;
  return createDatabase({ url, tls, poolSize, logger, watched: true });
}
