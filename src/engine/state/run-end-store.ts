import type { Session } from '../../platform/mysql/session.js';
import type { RunEnd } from './news-item.js';

/** A run without open deliveries. */
export interface EndedRun {
  guid: string;
  storyId: number;
  status: RunEnd;
}

/**
 * Returns those of these runs that have ended. Both questions stand beside the columns: as a condition, MariaDB would answer
 * one of them by reading all deliveries.
 */
export async function findEndedRuns(session: Session, guids: readonly string[]): Promise<EndedRun[]> {
  if (guids.length === 0) return [];
  const rows = await session.rows<RunRow>(
    `SELECT r.guid, r.story_id AS storyId, r.cancelled_at IS NOT NULL AS cancelled,
            ${HAS_DELIVERY} = 'failed') AS letters, ${HAS_DELIVERY} <> 'failed') AS isOpen
     FROM story_runs r FORCE INDEX (story_runs_guid) WHERE r.guid IN (?)`,
    [[...guids]],
  );
  return rows
    .filter(({ cancelled, isOpen }) => cancelled !== 0 || isOpen === 0)
    .map(({ guid, storyId, cancelled, letters }) => ({
      guid,
      storyId,
      status: cancelled !== 0 ? 'cancelled' : letters !== 0 ? 'failed' : 'completed',
    }));
}

type RunRow = Pick<EndedRun, 'guid' | 'storyId'> & Record<'cancelled' | 'letters' | 'isOpen', number>;

const HAS_DELIVERY =
  'EXISTS (SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run) WHERE d.story_run_guid = r.guid AND d.state';
