import type { Session } from '../../platform/mysql/session.js';

/** A row of a table that is read in the order of its ids. */
export interface IdRow {
  id: number;
  /** 1 if it is younger than what is held back. */
  young: number;
}

/** Returns the start of a row's minute, as SQL. */
export const minuteOf = (time: string): string => `DATE_FORMAT(${time}, '%Y-%m-%d %H:%i:00')`;

/**
 * Returns the rows before the first young one, if no other row below them can still appear; else none. Ids become visible
 * in another order than they were given. A statement that inserts begins soon after its ids were reserved, or is refused,
 * so a row that is old enough has all rows below it stored, but perhaps not committed. Only gaps can hide such rows: then
 * a locking read waits for their transactions.
 * @throws the driver's lock time-out if one of them takes too long.
 */
export async function settledRows<Row extends IdRow>(
  session: Session,
  table: 'events' | 'story_runs',
  { rows, afterId }: { rows: Row[]; afterId: number },
): Promise<Row[]> {
  const firstYoung = rows.findIndex(({ young }) => young === 1);
  const settled = firstYoung === -1 ? rows : rows.slice(0, firstYoung);
  const lastId = settled.at(-1)?.id;
  if (lastId === undefined || lastId - afterId === settled.length) return settled;
  const [found] = await session.rows<{ count: number }>(
    `SELECT COUNT(*) AS count FROM ${table} FORCE INDEX (PRIMARY) WHERE id > ? AND id <= ? LOCK IN SHARE MODE`,
    [afterId, lastId],
  );
  return (found?.count ?? 0) > settled.length ? [] : settled;
}
