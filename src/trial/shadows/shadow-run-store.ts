import type { Session } from '../../platform/mysql/session.js';

/** Runs become visible in another order than they were given their times: those of the last seconds are taken later. */
export const SETTLED = 'NOW(3) - INTERVAL 3 SECOND';

/** A place in the order of a story's runs. */
export interface RunPlace {
  at: Date;
  id: number;
}

/** The next runs of a story, and whether all of them that a shadow may take have been seen. */
export interface NextRuns {
  runs: RunPlace[];
  /** None can follow: the time is over. */
  isLast: boolean;
}

/** Returns the story's runs after a place that began until a time, in their order. */
export async function nextRuns(
  session: Session,
  { storyId, last, until }: { storyId: number; last: RunPlace; until: Date },
  limit: number,
): Promise<NextRuns> {
  const [now] = await session.rows<{ isOver: number }>(`SELECT ${SETTLED} >= ? AS isOver`, [until]);
  const runs = await session.rows<RunPlace>(
    `SELECT created_at AS at, id FROM story_runs FORCE INDEX (story_runs_list)
     WHERE story_id = ? AND created_at >= ? AND (created_at > ? OR id > ?)
       AND created_at <= LEAST(?, ${SETTLED})
     ORDER BY created_at, id LIMIT ?`,
    [storyId, last.at, last.at, last.id, until, limit],
  );
  return { runs, isLast: now?.isOver === 1 && runs.length < limit };
}

/** A run that a shadow took. */
export interface TakenRun {
  id: number;
  guid: string;
  createdAt: Date;
  isCancelled: boolean;
  /** Something of it is left to do. */
  isOpen: boolean;
  ageSeconds: number;
}

/** Returns those of these runs that still exist, in the order of the ids. */
export async function findTakenRuns(session: Session, ids: number[]): Promise<TakenRun[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<
    Omit<TakenRun, 'isCancelled' | 'isOpen'> & { isCancelled: number; isOpen: number }
  >(
    `SELECT r.id, r.guid, r.created_at AS createdAt, r.cancelled_at IS NOT NULL AS isCancelled,
            TIMESTAMPDIFF(SECOND, r.created_at, NOW(3)) AS ageSeconds,
            EXISTS (SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run)
                    WHERE d.story_run_guid = r.guid AND d.state <> 'failed') AS isOpen
     FROM story_runs r FORCE INDEX (PRIMARY) WHERE r.id IN (?)`,
    [ids],
  );
  const byId = new Map(
    rows.map((row) => [row.id, { ...row, isCancelled: row.isCancelled !== 0, isOpen: row.isOpen !== 0 }]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}
