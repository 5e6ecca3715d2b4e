import type { Session } from '../../platform/mysql/session.js';
import { parseLineage } from '../../agents/face.js';
import type { KnownAction, PastFailure, PastRun } from '../story/story-trial.js';

/** An event without its payload. */
export interface EventOutline {
  id: number;
  runGuid: string;
  agentId: number;
  lineage: ReturnType<typeof parseLineage>;
}

/** Returns the first events of these runs, by id. */
export async function findEventOutlines(
  session: Session,
  guids: string[],
  limit: number,
): Promise<EventOutline[]> {
  const rows = await session.rows<{ id: number; runGuid: string; agentId: number; lineage: string }>(
    `SELECT id, story_run_guid AS runGuid, agent_id AS agentId, lineage FROM events FORCE INDEX (events_run)
     WHERE story_run_guid IN (?) ORDER BY story_run_guid, id LIMIT ?`,
    [guids, limit],
  );
  return rows.map((row) => ({ ...row, lineage: parseLineage(row.lineage) })).toSorted((a, b) => a.id - b.id);
}

/** A run that another one called. */
export interface PastCalledRun {
  runGuid: string;
  storyId: number;
  teamId: number;
  agentId: number;
  eventId: number;
}

/** Returns the runs that these runs called. */
export function findPastCalledRuns(
  session: Session,
  guids: string[],
  limit: number,
): Promise<PastCalledRun[]> {
  return session.rows<PastCalledRun>(
    `SELECT c.story_run_guid AS runGuid, s.id AS storyId, s.team_id AS teamId, c.caller_agent_id AS agentId,
            c.caller_event_id AS eventId
     FROM story_calls c FORCE INDEX (story_calls_run)
     STRAIGHT_JOIN story_runs r ON r.guid = c.story_run_guid STRAIGHT_JOIN stories s ON s.id = r.story_id
     WHERE c.caller_run_guid IN (?) ORDER BY c.story_run_guid LIMIT ?`,
    [guids, limit],
  );
}

/** Returns the dead letters of these runs. */
export async function findRunFailures(
  session: Session,
  guids: string[],
  limit: number,
): Promise<PastFailure[]> {
  const rows = await session.rows<{ agentId: number; eventId: number; error: string | null }>(
    `SELECT agent_id AS agentId, event_id AS eventId, error FROM deliveries FORCE INDEX (deliveries_run)
     WHERE story_run_guid IN (?) AND state = 'failed' ORDER BY id LIMIT ?`,
    [guids, limit],
  );
  return rows.map((row) => ({ ...row, error: row.error ?? '' }));
}

/** Returns whether these runs have nothing left to do, and the time of their last event. */
export async function findRunEnd(
  session: Session,
  guids: string[],
): Promise<Pick<PastRun, 'isOver' | 'lastAtMs'>> {
  const [row] = await session.rows<{ isOpen: number; lastAt: Date | null }>(
    `SELECT EXISTS (SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run)
                    WHERE d.story_run_guid IN (?) AND d.state <> 'failed') AS isOpen,
            (SELECT l.created_at FROM events l WHERE l.id =
              (SELECT MAX(e.id) FROM events e FORCE INDEX (events_run) WHERE e.story_run_guid IN (?))) AS lastAt`,
    [guids, guids],
  );
  return { isOver: row?.isOpen === 0, lastAtMs: row?.lastAt?.getTime() ?? 0 };
}

/** Returns the actions of these stories, with the guids by which they are known elsewhere. */
export async function findKnownActions(session: Session, storyIds: number[]): Promise<KnownAction[]> {
  if (storyIds.length === 0) return [];
  const rows = await session.rows<{ id: number; guid: string; name: string; exportGuid: string | null }>(
    `SELECT id, guid, name, JSON_UNQUOTE(JSON_EXTRACT(extra, '$.guid')) AS exportGuid
     FROM agents FORCE INDEX (agents_story) WHERE story_id IN (?) ORDER BY story_id, position`,
    [storyIds],
  );
  return rows.map((row) => ({ ...row, exportGuid: row.exportGuid ?? undefined }));
}
