import { messageOf } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { Database } from '../database.js';

/** The row of `settings` that all web processes write, and that replicas show. */
export const HEARTBEAT_ROW = 'reader_beat';
/** A replica that is further behind is not used anyway. */
const MOST_KEPT = 400;
const NOW_MS = 'FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)';

/** One write of the row: the number that it stored, and when it began, by this process's clock. */
interface Beat {
  value: number;
  beganAt: number;
}

/** Writes a row again and again, so that a replica shows how far it is, whatever replicates it. */
export interface ReplicationHeartbeat {
  /**
   * Returns the time in ms for which a replica that shows `seen` may lack what was committed: all that is older is there.
   * Undefined: this process cannot tell.
   */
  stalenessOf(seen: number): number | undefined;
  close(): Promise<void>;
}

/** Begins at once, with a transaction every `everyMs`. */
export function createReplicationHeartbeat(
  database: Pick<Database, 'transaction'>,
  everyMs: number,
  logger: Logger,
): ReplicationHeartbeat {
  const beats: Beat[] = [];
  let beating: Promise<void> | undefined;

  const beat = async () => {
    const beganAt = performance.now();
    try {
      beats.push({ value: await writeBeat(database), beganAt });
      if (beats.length > MOST_KEPT) beats.shift();
    } catch (error) {
      logger.debug('could not write the replication heartbeat', { error: messageOf(error) });
    }
  };
  const tick = () => {
    beating ??= beat().finally(() => (beating = undefined));
  };
  tick();
  const timer = setInterval(tick, everyMs).unref();
  return {
    stalenessOf(seen) {
      const last = beats.findLast(({ value }) => value <= seen);
      return last === undefined ? undefined : performance.now() - last.beganAt;
    },
    async close() {
      clearInterval(timer);
      await beating;
    },
  };
}

/** Returns the stored number; each is greater than the one before, whichever process wrote that. */
async function writeBeat(database: Pick<Database, 'transaction'>): Promise<number> {
  return database.transaction(async (session) => {
    await session.run(
      `INSERT INTO settings (name, value) VALUES (?, ${NOW_MS})
       ON DUPLICATE KEY UPDATE value = GREATEST(CAST(value AS UNSIGNED) + 1, ${NOW_MS})`,
      [HEARTBEAT_ROW],
    );
    const [row] = await session.rows<{ value: string }>('SELECT value FROM settings WHERE name = ?', [
      HEARTBEAT_ROW,
    ]);
    return Number(row?.value);
  });
}
