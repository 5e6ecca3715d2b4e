import type { Session } from '../../platform/mysql/session.js';

/** Returns the id of the story's run with this guid. */
export async function findRunId(
  session: Session,
  { storyId, guid }: { storyId: number; guid: string },
): Promise<number | undefined> {
  const [row] = await session.rows<{ id: number }>(
    'SELECT id FROM story_runs WHERE guid = ? AND story_id = ?',
    [guid, storyId],
  );
  return row?.id;
}

/** Returns the id of the event with the run's input; undefined for a run of a webhook, and if retention has deleted it. */
export async function findInputId(session: Session, guid: string): Promise<number | undefined> {
  const [first] = await session.rows<{ id: number; agentId: number }>(
    `SELECT id, agent_id AS agentId FROM events FORCE INDEX (events_run)
     WHERE story_run_guid = ? ORDER BY id LIMIT 1`,
    [guid],
  );
  return first?.agentId === 0 ? first.id : undefined;
}

/** The story and team that an agent or a run belongs to. */
export interface RunStory {
  storyId: number;
  teamId: number;
}

/** Returns story and team of the tenant's run with this guid. */
export async function findRunPlace(
  session: Session,
  { guid, tenantId }: { guid: string; tenantId: number },
): Promise<RunStory | undefined> {
  const [row] = await session.rows<RunStory>(
    `SELECT s.id AS storyId, s.team_id AS teamId FROM story_runs r JOIN stories s ON s.id = r.story_id
     WHERE r.guid = ? AND s.tenant_id = ?`,
    [guid, tenantId],
  );
  return row;
}

/** Returns story and team of the tenant's agent with this id. */
export async function findAgentPlace(
  session: Session,
  { id, tenantId }: { id: number; tenantId: number },
): Promise<RunStory | undefined> {
  const [row] = await session.rows<RunStory>(
    `SELECT s.id AS storyId, s.team_id AS teamId FROM agents a JOIN stories s ON s.id = a.story_id
     WHERE a.id = ? AND s.tenant_id = ?`,
    [id, tenantId],
  );
  return row;
}
