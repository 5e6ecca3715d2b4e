import type { Session } from '../../../platform/mysql/session.js';
import type { RunEnd } from '../../../api/face.js';

/** A run without open deliveries. */
export interface EndedRun {
  guid: string;
  storyId: number;
  status: RunEnd;
}

/** Returns those of the runs that have work left: a delivery that is no dead letter. */
export async function findBusyRuns(session: Session, guids: readonly string[]): Promise<Set<string>> {
  if (guids.length === 0) return new Set();
  const rows = await session.rows<{ guid: string }>(
    `SELECT DISTINCT story_run_guid AS guid FROM deliveries FORCE INDEX (deliveries_run)
     WHERE story_run_guid IN (?) AND state <> 'failed'`,
    [[...guids]],
  );
  return new Set(rows.map(({ guid }) => guid));
}

/**
 * Returns those of these runs that have ended. The question for dead letters stands beside the columns: as a condition,
 * MariaDB would answer it by reading all deliveries.
 */
export async function findEndedRuns(session: Session, guids: readonly string[]): Promise<EndedRun[]> {
  if (guids.length === 0) return [];
  const busy = await findBusyRuns(session, guids);
  const rows = await session.rows<RunRow>(
    `SELECT r.guid, r.story_id AS storyId, r.cancelled_at IS NOT NULL AS cancelled,
            EXISTS (SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run)
                    WHERE d.story_run_guid = r.guid AND d.state = 'failed') AS letters
     FROM story_runs r FORCE INDEX (story_runs_guid) WHERE r.guid IN (?)`,
    [[...guids]],
  );
  return rows
    .filter(({ guid, cancelled }) => cancelled !== 0 || !busy.has(guid))
    .map(({ guid, storyId, cancelled, letters }) => ({
      guid,
      storyId,
      status: cancelled !== 0 ? 'cancelled' : letters !== 0 ? 'failed' : 'completed',
    }));
}

type RunRow = Pick<EndedRun, 'guid' | 'storyId'> & Record<'cancelled' | 'letters', number>;
