import type { Session } from '../../../platform/mysql/session.js';
import { createPositionStore, type WalkPosition } from '../../backfill/position-store.js';

/** How far the index has come. */
export interface IndexState extends WalkPosition {
  /** The newest run; 0: there is none. */
  newestId: number;
}

/** Returns the position of the index; undefined if nothing was indexed yet. One statement, which reads two rows. */
export async function findIndexState(session: Session): Promise<IndexState | undefined> {
  const [state] = await session.rows<IndexState>(
    `SELECT after_id AS afterId, CAST(after_at AS CHAR) AS afterAt,
            COALESCE((SELECT MAX(id) FROM story_runs), 0) AS newestId
     FROM counting_positions WHERE name = 'run_values'`,
  );
  return state;
}

/** Stores the first position of the index, unless it exists. */
export function createIndexPositionStore(session: Session): Promise<void> {
  return createPositionStore(session, ['run_values']);
}

/** The time before which all runs are indexed, and the last one of them. */
export interface IndexFreshness {
  now: Date;
  indexedUntil: Date;
  /** Runs up to this id are indexed. */
  lastId: number;
}

/** Returns how far the index has come: to the start of the oldest run that is not indexed; to now, if all are. */
export async function findIndexFreshness(session: Session): Promise<IndexFreshness> {
  const lastId = (await findIndexState(session))?.afterId ?? 0;
  const [row] = await session.rows<{ now: Date; oldest: Date | null }>(
    `SELECT NOW(3) AS now, (SELECT r.created_at FROM story_runs r FORCE INDEX (PRIMARY)
                            WHERE r.id > ? ORDER BY r.id LIMIT 1) AS oldest`,
    [lastId],
  );
  if (row === undefined) throw new Error('The database returned no time');
  return { now: row.now, indexedUntil: row.oldest ?? row.now, lastId };
}

/** Returns for how many seconds the oldest run waits for the index; 0 if none does. */
export async function indexLagSeconds(session: Session): Promise<number> {
  const { now, indexedUntil } = await findIndexFreshness(session);
  return Math.max(0, now.getTime() - indexedUntil.getTime()) / 1000;
}
