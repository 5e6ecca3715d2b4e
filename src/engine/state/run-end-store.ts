import type { Session } from '../../platform/mysql/session.js';
import type { RunEnd } from './news-item.js';

/** A run without open deliveries. */
export interface EndedRun {
  guid: string;
  storyId: number;
  status: RunEnd;
}

/** Returns those of these runs that have ended. */
export async function findEndedRuns(session: Session, guids: readonly string[]): Promise<EndedRun[]> {
  if (guids.length === 0) return [];
  const rows = await session.rows<{ guid: string; storyId: number; cancelled: number; letters: number }>(
    `SELECT r.guid, r.story_id AS storyId, r.cancelled_at IS NOT NULL AS cancelled,
            EXISTS (SELECT 1 FROM deliveries f FORCE INDEX (deliveries_run)
                    WHERE f.story_run_guid = r.guid AND f.state = 'failed') AS letters
     FROM story_runs r FORCE INDEX (story_runs_guid)
     WHERE r.guid IN (?) AND (r.cancelled_at IS NOT NULL OR NOT EXISTS (
       SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run)
       WHERE d.story_run_guid = r.guid AND d.state <> 'failed'))`,
    [[...guids]],
  );
  return rows.map(({ guid, storyId, cancelled, letters }) => ({
    guid,
    storyId,
    status: cancelled !== 0 ? 'cancelled' : letters !== 0 ? 'failed' : 'completed',
  }));
}
