import type { Logger } from '../../logger.js';
import type { ConnectionPool } from '../connections/connection-pool.js';
import { isLockConflict } from '../db-errors.js';
import type { Session } from '../session.js';
import type { IdCounts, IdRanges, NumberedTable, ReserveIds } from './id-range.js';

/** The row that one reservation at a time locks. */
const LOCK_ROW = 'id_reservations';
/** Ids that single rows of other processes may take by the table's counter meanwhile. */
const BESIDE = 16;
/** Statistics count rows once they are older than this and the longest statement (notes/stores.md, Reserved ids). */
const USABLE_SECONDS = 10;
/** After a reservation that was held up, none is tried for this time. */
const REST_MS = 5_000;

/**
 * Creates the function that reserves ids, on connections of its own: transactions wait for it. A row takes the table's next
 * id, another row the last id of the range, so the table's counter passes the range; both are rolled back. Single rows are
 * inserted by that counter (notes/stores.md, Reserved ids).
 */
export function createIdReserver(pool: Pick<ConnectionPool, 'withSession'>, logger: Logger): ReserveIds {
  let restUntil = 0;

  return async (counts) => {
    if (performance.now() < restUntil) return undefined;
    try {
      return await pool.withSession(async (session) => {
        const reserve = () => session.discard(() => raiseCounters(session, counts));
        return (await reserve()) ?? (await createLockRow(session).then(reserve));
      });
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      restUntil = performance.now() + REST_MS;
      logger.warn('reservations of ids are held up: rows are inserted one by one for some seconds');
      return undefined;
    }
  };
}

async function createLockRow(session: Session): Promise<void> {
  await session.run(
    "INSERT INTO settings (name, value) VALUES (?, '') ON DUPLICATE KEY UPDATE name = VALUES(name)",
    [LOCK_ROW],
  );
}

/** Returns undefined if the row to lock does not exist. */
async function raiseCounters(session: Session, counts: IdCounts): Promise<IdRanges | undefined> {
  const [lock] = await session.rows<{ usableUntil: string }>(
    `SELECT CAST(NOW(3) + INTERVAL ${USABLE_SECONDS} SECOND AS CHAR) AS usableUntil
     FROM settings WHERE name = ? FOR UPDATE`,
    [LOCK_ROW],
  );
  if (lock === undefined) return undefined;
  const ranges: IdRanges = {};
  for (const [table, count] of Object.entries(counts) as [NumberedTable, number][]) {
    const first = (await takeNext(session, table)) + BESIDE;
    await passCounter(session, table, first + count - 1);
    ranges[table] = { first, count, ...lock };
  }
  return ranges;
}

/** Returns the table's next id. IGNORE: columns without a default are left empty. */
async function takeNext(session: Session, table: NumberedTable): Promise<number> {
  const { insertId } = await session.run(`INSERT IGNORE INTO ${table} () VALUES ()`);
  return insertId;
}

/** The table's counter continues after `last`. */
async function passCounter(session: Session, table: NumberedTable, last: number): Promise<void> {
  if (!Number.isSafeInteger(last)) throw new Error(`The ids of ${table} are too large: ${last}`);
  await session.run(`INSERT IGNORE INTO ${table} (id) VALUES (?)`, [last]);
}
