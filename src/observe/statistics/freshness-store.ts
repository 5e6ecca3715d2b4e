import type { Session } from '../../platform/mysql/session.js';
import { findFormerTime } from '../../platform/mysql/schema/migrate.js';
import { findPositions } from '../backfill/position-store.js';

/** The database's time, and the time until which all rows are counted. */
export interface Freshness {
  now: Date;
  countedUntil: Date;
}

interface Uncounted {
  now: Date;
  eventAt: Date | null;
  runAt: Date | null;
  letterAt: Date | null;
}

const NOTHING = { afterId: 0, afterAt: '1970-01-02 00:00:00.000' };

/** Returns the time of the oldest row that is not counted; now, if all are. Each kind reads one row by index. */
export async function findFreshness(session: Session): Promise<Freshness> {
  const positions = await findPositions(session);
  const letters = positions.get('dead_letters') ?? NOTHING;
  const [row] = await session.rows<Uncounted>(
    `SELECT NOW(3) AS now,
       (SELECT e.created_at FROM events e FORCE INDEX (PRIMARY) WHERE e.id > ? ORDER BY e.id LIMIT 1) AS eventAt,
       (SELECT r.created_at FROM story_runs r FORCE INDEX (PRIMARY) WHERE r.id > ? ORDER BY r.id LIMIT 1) AS runAt,
       (SELECT d.due_at FROM deliveries d FORCE INDEX (deliveries_due)
        WHERE d.state = 'failed' AND d.due_at >= ? AND (d.due_at > ? OR d.id > ?)
        ORDER BY d.due_at, d.id LIMIT 1) AS letterAt`,
    [
      positions.get('events')?.afterId ?? 0,
      positions.get('runs')?.afterId ?? 0,
      letters.afterAt,
      letters.afterAt,
      letters.afterId,
    ],
  );
  if (row === undefined) throw new Error('The database returned no time');
  const { now, ...uncounted } = row;
  const times = [now, ...Object.values(uncounted).filter((time) => time !== null)];
  return { now, countedUntil: new Date(Math.min(...times.map((time) => time.getTime()))) };
}

/** The migration that made the table of minutes: hours were counted before. */
const MINUTES_BEGAN = '20261126080000_create_story_minutes';

/** Returns the time since when minutes are counted; undefined if it is not known. */
export const findMinutesSince = (session: Session): Promise<Date | undefined> =>
  findFormerTime(session, MINUTES_BEGAN);
