import type { Session } from '../../../platform/mysql/session.js';

/** The run's places; null if they are deleted. */
export interface RunPlaces {
  id: number;
  storyId: number;
  story: string | null;
  team: string | null;
  tenantId: number | null;
}

/** An event of a run, without its payload: the board's operator is of no tenant. */
export interface RunStep {
  id: number;
  action: string | null;
  createdAt: Date;
}

/** Returns where a run belongs; undefined if there is no such run, or not yet. */
export async function findRunPlaces(session: Session, guid: string): Promise<RunPlaces | undefined> {
  const [row] = await session.rows<RunPlaces>(
    `SELECT r.id, r.story_id AS storyId, s.name AS story, t.name AS team, s.tenant_id AS tenantId
     FROM story_runs r LEFT JOIN stories s ON s.id = r.story_id LEFT JOIN teams t ON t.id = s.team_id
     WHERE r.guid = ?`,
    [guid],
  );
  return row;
}

/** Returns the run's first events after an id, oldest first. */
export function listRunSteps(
  session: Session,
  { guid, afterId, limit }: { guid: string; afterId: number; limit: number },
): Promise<RunStep[]> {
  return session.rows<RunStep>(
    `SELECT e.id, a.name AS action, e.created_at AS createdAt
     FROM events e FORCE INDEX (events_run) LEFT JOIN agents a ON a.id = e.agent_id
     WHERE e.story_run_guid = ? AND e.id > ? AND e.agent_id <> 0 ORDER BY e.id LIMIT ?`,
    [guid, afterId, limit],
  );
}

/** Returns the guid of the run of a delivery that is not done. */
export async function findRunOfDelivery(session: Session, id: number): Promise<string | undefined> {
  const [row] = await session.rows<{ guid: string }>(
    'SELECT story_run_guid AS guid FROM deliveries WHERE id = ?',
    [id],
  );
  return row?.guid;
}
