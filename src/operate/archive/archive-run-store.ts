import type { Session } from '../../platform/mysql/session.js';

/** A run that may be archived. */
export interface ArchivableRun {
  /** Null: the run is gone. */
  id: number | null;
  guid: string;
  /** 1 if it is old enough. */
  old: number;
  /** 1 if it has work left, or an event of the last minute: lower ids may still appear then. */
  live: number;
  /** The part of it that is archived; 0 if nothing is. */
  lastEventId: number;
  lastLogId: number;
  events: number;
  /** 1 if it was archived before. */
  known: number;
  /** The database's time of the look, as it writes times. */
  seenAt: string;
}

const IS_LIVE = `(EXISTS (SELECT 1 FROM deliveries d FORCE INDEX (deliveries_run)
                          WHERE d.story_run_guid = r.guid AND d.state <> 'failed')
  OR COALESCE((SELECT l.created_at > NOW(3) - INTERVAL 1 MINUTE FROM events l WHERE l.id =
       (SELECT MAX(e.id) FROM events e FORCE INDEX (events_run) WHERE e.story_run_guid = r.guid)), 0))`;
/** A number that COALESCE makes of an unsigned column would come as a text. */
const COLUMNS = `COALESCE(r.created_at <= NOW(3) - INTERVAL ? HOUR, 0) AS old, COALESCE(${IS_LIVE}, 0) AS live,
  CAST(COALESCE(a.last_event_id, 0) AS UNSIGNED) AS lastEventId,
  CAST(COALESCE(a.last_log_id, 0) AS UNSIGNED) AS lastLogId, CAST(COALESCE(a.events, 0) AS UNSIGNED) AS events, a.story_run_guid IS NOT NULL AS known, CAST(NOW(3) AS CHAR) AS seenAt`;

/** Returns the runs after this id, by id. */
export function findNextRuns(
  session: Session,
  { afterId, hours, limit }: { afterId: number; hours: number; limit: number },
): Promise<(ArchivableRun & { id: number })[]> {
  return session.rows(
    `SELECT r.id, r.guid, ${COLUMNS} FROM story_runs r FORCE INDEX (PRIMARY)
     LEFT JOIN archived_runs a ON a.story_run_guid = r.guid WHERE r.id > ? ORDER BY r.id LIMIT ?`,
    [hours, afterId, limit],
  );
}

/** Returns the runs that wait for the archive and whose time has come, the earliest first. */
export function findWaitingRuns(session: Session, limit: number): Promise<ArchivableRun[]> {
  return session.rows(
    `SELECT r.id, w.story_run_guid AS guid, ${COLUMNS}
     FROM (SELECT story_run_guid, next_at FROM archive_waits FORCE INDEX (archive_waits_next)
           WHERE next_at <= NOW(3) ORDER BY next_at, story_run_guid LIMIT ?) w
     LEFT JOIN story_runs r ON r.guid = w.story_run_guid
     LEFT JOIN archived_runs a ON a.story_run_guid = w.story_run_guid
     ORDER BY w.next_at, w.story_run_guid`,
    [1, limit],
  );
}

/** The row of a run and its story; the story's columns are null if it was deleted. */
export interface RunFacts {
  guid: string;
  storyId: number;
  tenantId: number | null;
  teamId: number | null;
  storyName: string | null;
}

/** Returns the facts of the runs with these ids that still exist. */
export async function findRunFacts(session: Session, ids: number[]): Promise<RunFacts[]> {
  if (ids.length === 0) return [];
  return session.rows(
    `SELECT r.guid, r.story_id AS storyId, s.tenant_id AS tenantId, s.team_id AS teamId, s.name AS storyName
     FROM story_runs r LEFT JOIN stories s ON s.id = r.story_id WHERE r.id IN (?)`,
    [ids],
  );
}

/** An event, with its texts as they are stored. */
export interface ArchivedEvent {
  id: number;
  agentId: number;
  agentName: string | null;
  createdAt: string;
  workMs: number | null;
  lineage: string;
  payload: string;
  /** The request that it came of, as it is kept; null: none is. */
  request: string | null;
}

/** Returns the ids of the next events of a run, with the size of their texts. */
export function findEventSizes(
  session: Session,
  { guid, afterId, limit }: { guid: string; afterId: number; limit: number },
): Promise<{ id: number; bytes: number }[]> {
  return session.rows(
    `SELECT e.id, LENGTH(f.payload) + LENGTH(f.lineage) + COALESCE(LENGTH(f.request), 0) AS bytes
     FROM (SELECT id FROM events FORCE INDEX (events_run)
           WHERE story_run_guid = ? AND id > ? ORDER BY id LIMIT ?) e
     STRAIGHT_JOIN events f ON f.id = e.id ORDER BY e.id`,
    [guid, afterId, limit],
  );
}

/** Returns the events with these ids that still exist, ascending. */
export function findStoredEvents(session: Session, ids: number[]): Promise<ArchivedEvent[]> {
  return session.rows(
    `SELECT e.id, e.agent_id AS agentId, a.name AS agentName, CAST(e.created_at AS CHAR) AS createdAt,
            e.work_ms AS workMs, e.lineage, e.payload, e.request
     FROM events e LEFT JOIN agents a ON a.id = e.agent_id WHERE e.id IN (?) ORDER BY e.id`,
    [ids],
  );
}

/** A line of a log. */
export interface StoredLog {
  id: number;
  agentId: number;
  inboundEventId: number | null;
  level: number;
  message: string;
  createdAt: string;
  /** The request that the failed attempt sent last, as it is kept; null: none is. */
  request: string | null;
  /** The response to it, in the same way. */
  response: string | null;
  /** The delivery that failed or logged an error; null on other lines, as what follows. */
  deliveryId: number | null;
  agentName: string | null;
  attempt: number | null;
  workMs: number | null;
  status: number | null;
  cause: string | null;
}

/** Returns the next lines of the logs of a run. */
export function findStoredLogs(
  session: Session,
  { guid, afterId, limit }: { guid: string; afterId: number; limit: number },
): Promise<StoredLog[]> {
  // The index of a run goes on with the action: the ids of one run are few enough to be sorted.
  return session.rows(
    `SELECT l.id, l.agent_id AS agentId, l.inbound_event_id AS inboundEventId, l.level, l.message,
            CAST(l.created_at AS CHAR) AS createdAt, l.request, l.response, l.delivery_id AS deliveryId, a.name AS agentName,
            l.attempt, l.work_ms AS workMs, l.status, l.cause
     FROM agent_logs l FORCE INDEX (agent_logs_run) LEFT JOIN agents a ON a.id = l.agent_id
     WHERE l.story_run_guid = ? AND l.id > ? ORDER BY l.id LIMIT ?`,
    [guid, afterId, limit],
  );
}
