import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Database } from './database.js';

/** Interval between reads: limits how long a wrong time lasts after the database's clock was set. */
const ASK_EVERY_MS = 30_000;

export interface DatabaseClockDeps {
  database: Pick<Database, 'read'>;
  logger: Logger;
}

/**
 * Returns a function for the database's time, in ms since 1970: one clock for all processes, independent of their own.
 * The time is read at intervals; in between, and while the database is unreachable, a monotonic clock continues it. The
 * process's own clock is used only until the first successful read. Never throws.
 */
export function createDatabaseClock({ database, logger }: DatabaseClockDeps): () => Promise<number> {
  let known: { databaseMs: number; atMs: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const ask = async () => {
    askedAt = performance.now();
    try {
      const databaseMs = await readTime(database);
      // Assumes that the server read its clock halfway between request and response.
      known = { databaseMs, atMs: (askedAt + performance.now()) / 2 };
    } catch (error) {
      logger.debug('could not read the database time', { error: messageOf(error) });
    }
    asking = undefined;
  };

  return async () => {
    if (asking === undefined && performance.now() - askedAt > ASK_EVERY_MS) asking = ask();
    if (known === undefined) await asking;
    return known === undefined ? Date.now() : known.databaseMs + (performance.now() - known.atMs);
  };
}

async function readTime(database: Pick<Database, 'read'>): Promise<number> {
  const [row] = await database.read((session) =>
    session.rows<{ seconds: string }>('SELECT UNIX_TIMESTAMP(NOW(3)) AS seconds'),
  );
  if (row === undefined) throw new Error('The database returned no time');
  return Number(row.seconds) * 1000;
}
