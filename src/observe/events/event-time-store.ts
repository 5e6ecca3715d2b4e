import type { Session } from '../../platform/mysql/session.js';

/**
 * Events have no index by time, which each of them would have to be entered in. Ids grow with time, except for events
 * that are stored at the same moment: so far are ids looked for beside a time.
 */
const APART_MS = 60_000;

/** Ids from `from`, below `below`. */
export interface EventIdRange {
  from: number;
  below: number;
}

/** Returns the range that has all events between these times, and few others. */
export async function idsBetween(
  session: Session,
  { since, until }: { since: Date | undefined; until: Date | undefined },
): Promise<EventIdRange> {
  const [ends] = await session.rows<{ first: number | null; last: number | null }>(
    'SELECT MIN(id) AS first, MAX(id) AS last FROM events',
  );
  const all = { from: ends?.first ?? 0, below: (ends?.last ?? 0) + 1 };
  const from =
    since === undefined ? all.from : await firstIdAt(session, all, new Date(since.getTime() - APART_MS));
  const below =
    until === undefined ? all.below : await firstIdAt(session, all, new Date(until.getTime() + APART_MS));
  return { from, below };
}

/**
 * Returns the id at which events of `time` and later begin: by halving the range, about forty look-ups by primary key for
 * a million million events.
 */
async function firstIdAt(session: Session, { from, below }: EventIdRange, time: Date): Promise<number> {
  let low = from;
  let high = below;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await session.rows<{ id: number; late: number }>(
      'SELECT id, created_at >= ? AS late FROM events WHERE id >= ? ORDER BY id LIMIT 1',
      [time, middle],
    );
    if (row === undefined || row.late === 1) high = middle;
    else low = row.id + 1;
  }
  return low;
}
