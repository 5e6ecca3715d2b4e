import { parseLineage } from '../../agents/face.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SampleEvent } from './sample.js';

/** Events of a run that are looked at, the newest first: entries of an index. */
const MOST_READ = 100_000;

/** Returns the id of the newest event of each action in a run, by the action's id; 0 is the run's input. */
export async function findNewestOfActions(session: Session, runGuid: string): Promise<Map<number, number>> {
  const rows = await session.rows<{ agentId: number; id: number }>(
    `SELECT agent_id AS agentId, MAX(id) AS id FROM
       (SELECT id, agent_id FROM events FORCE INDEX (events_run) WHERE story_run_guid = ?
        ORDER BY id DESC LIMIT ${MOST_READ}) n
     GROUP BY agent_id`,
    [runGuid],
  );
  return new Map(rows.map(({ agentId, id }) => [agentId, id]));
}

/** Returns the id of the newest event of a run that the action has still to handle, or has failed to. */
export async function findUndoneEventId(
  session: Session,
  { runGuid, agentId }: { runGuid: string; agentId: number },
): Promise<number | undefined> {
  const [row] = await session.rows<{ id: number | null }>(
    `SELECT MAX(event_id) AS id FROM deliveries FORCE INDEX (deliveries_run)
     WHERE story_run_guid = ? AND agent_id = ?`,
    [runGuid, agentId],
  );
  return row?.id ?? undefined;
}

/** Returns an event, which may be a run's input; undefined if retention has deleted it. */
export async function findSampleEvent(session: Session, id: number): Promise<SampleEvent | undefined> {
  const [row] = await session.rows<Omit<SampleEvent, 'lineage'> & { lineage: string }>(
    `SELECT id, story_run_guid AS storyRunGuid, agent_id AS agentId, lineage, created_at AS createdAt
     FROM events FORCE INDEX (PRIMARY) WHERE id = ?`,
    [id],
  );
  return row && { ...row, lineage: parseLineage(row.lineage) };
}
