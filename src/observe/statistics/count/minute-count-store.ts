import type { Session } from '../../../platform/mysql/session.js';
import { columnsOf, MINUTE_COUNTS } from './counts.js';
import { addSums } from './hour-count-store.js';
import type { Tally } from './tally.js';

/** Minutes are kept for so many hours. */
export const MINUTES_KEPT_HOURS = 6;

const OLDEST = 'UTC_TIMESTAMP() - INTERVAL ? HOUR';

/** Adds the sums to the minutes that are young enough to be kept. To be called in the transaction that moves the position. */
export async function addMinutes(session: Session, tally: Tally): Promise<void> {
  const minutes = tally.minutes();
  if (minutes.length === 0) return;
  const [kept] = await session.rows<{ since: string }>(`SELECT CAST(${OLDEST} AS CHAR) AS since`, [
    MINUTES_KEPT_HOURS,
  ]);
  if (kept === undefined) throw new Error('The database returned no time');
  await addSums(session, {
    table: 'story_minutes',
    keys: ['story_id', 'minute'],
    columns: columnsOf(MINUTE_COUNTS),
    rows: minutes
      .filter(({ at }) => at >= kept.since)
      .map((row) => [row.id, row.at, ...MINUTE_COUNTS.map((name) => row[name])]),
  });
}

/** Deletes up to `limit` minutes that are no longer kept. Returns their number. */
export async function deleteOldMinutes(session: Session, limit: number): Promise<number> {
  const { affectedRows } = await session.run(
    `DELETE FROM story_minutes WHERE minute < ${OLDEST} ORDER BY minute LIMIT ?`,
    [MINUTES_KEPT_HOURS, limit],
  );
  return affectedRows;
}
