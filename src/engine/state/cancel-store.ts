import type { Session } from '../../platform/mysql/session.js';

/** Marks the run as cancelled, once; false when it is already, or is not there. */
export async function markCancelled(session: Session, storyRunGuid: string): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE story_runs SET cancelled_at = NOW(3) WHERE guid = ? AND cancelled_at IS NULL',
    [storyRunGuid],
  );
  return affectedRows === 1;
}

/**
 * The runs that actions of this run have called; at most `limit`, those that are not cancelled first. A cancel that broke
 * off may have left work in one that is, and in those that it has called.
 */
export async function findCalledRuns(
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

/** The deliveries of the run that are still to be done; dead letters are not. */
export async function findOpenDeliveries(
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

/** What is needed to tell whether a run has run away. */
export interface RunSize {
  storyId: number;
  events: number;
  /** Hops of the delivery that is furthest from the start, and its action; 0 where no work is left. */
  depth: number;
  agentId: number;
}

/** The size of a run that is not cancelled. */
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
