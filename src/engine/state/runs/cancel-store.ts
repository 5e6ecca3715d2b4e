import type { Session } from '../../../platform/mysql/session.js';

/** IdempotencyKeys the run as cancelled. Returns false if it was cancelled before or does not exist. */
export async function markCancelled(session: Session, storyRunGuid: string): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE story_runs SET cancelled_at = NOW(3) WHERE guid = ? AND cancelled_at IS NULL',
    [storyRunGuid],
  );
  return affectedRows === 1;
}

/**
 * Returns at most `limit` runs that agents of this run called, those not cancelled first. Cancelled ones are included: an
 * interrupted cancel may have left work in them, or in the runs that they called.
 */
export async function findRunsToCancel(
  session: Session,
  storyRunGuid: string,
  limit: number,
): Promise<string[]> {
  const rows = await session.rows<{ guid: string }>(
    `SELECT c.story_run_guid AS guid FROM story_calls c JOIN story_runs r ON r.guid = c.story_run_guid
     WHERE c.caller_run_guid = ? ORDER BY r.cancelled_at IS NOT NULL LIMIT ?`,
    [storyRunGuid, limit],
  );
  return rows.map(({ guid }) => guid);
}

/** Returns the ids of at most `limit` deliveries of the run, without dead letters. */
export async function findDeliveriesToCancel(
  session: Session,
  storyRunGuid: string,
  limit: number,
): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    "SELECT id FROM deliveries WHERE story_run_guid = ? AND state <> 'failed' ORDER BY id LIMIT ?",
    [storyRunGuid, limit],
  );
  return rows.map(({ id }) => id);
}

/** The numbers by which a runaway run is recognised. */
export interface RunSize {
  storyId: number;
  events: number;
  /** Hops of the delivery furthest from the start; this and `agentId` are 0 without deliveries. */
  depth: number;
  agentId: number;
}

/** Returns the size of a run; undefined if it is cancelled or missing. */
export async function findRunSize(session: Session, storyRunGuid: string): Promise<RunSize | undefined> {
  const [row] = await session.rows<RunSize>(
    `SELECT r.story_id AS storyId,
            (SELECT COUNT(*) FROM events e WHERE e.story_run_guid = r.guid) AS events,
            COALESCE(d.depth, 0) AS depth, COALESCE(d.agent_id, 0) AS agentId
     FROM story_runs r
     LEFT JOIN (SELECT depth, agent_id, story_run_guid FROM deliveries WHERE story_run_guid = ?
                ORDER BY depth DESC LIMIT 1) d ON d.story_run_guid = r.guid
     WHERE r.guid = ? AND r.cancelled_at IS NULL`,
    [storyRunGuid, storyRunGuid],
  );
  return row;
}
