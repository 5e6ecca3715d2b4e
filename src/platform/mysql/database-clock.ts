import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Database } from './database.js';

/** This process's own clock may be wrong by more than seconds only for so long after it was set. */
const ASK_EVERY_MS = 30_000;

export interface DatabaseClockDeps {
  database: Pick<Database, 'read'>;
  logger: Logger;
}

/**
 * Gives what time it is for the database, in ms since 1970: one clock for all processes, whatever their own ones say. It
 * is asked now and then; in between, and while it is away, the time goes on by a clock that cannot be set. This
 * process's own clock is believed only until the database has said the time once. Never throws.
 */
export function createDatabaseClock({ database, logger }: DatabaseClockDeps): () => Promise<number> {
  let known: { databaseMs: number; atMs: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  const ask = async () => {
    askedAt = performance.now();
    try {
      const databaseMs = await readTime(database);
      // The answer is as old as half of its way, at most.
      known = { databaseMs, atMs: (askedAt + performance.now()) / 2 };
    } catch (error) {
      logger.debug('the time of the database is not known', { error: messageOf(error) });
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
  if (row === undefined) throw new Error('The database gave no time');
  return Number(row.seconds) * 1000;
}
