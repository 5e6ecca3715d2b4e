import { countUpTo } from '../../platform/mysql/statements/id-page.js';
import { readNewest, type WalkPage, type WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';

/** A line of an action's log. */
export interface LogLine {
  id: number;
  /** The stored level: a value of `LOG_LEVELS`. */
  level: number;
  message: string;
  storyRunGuid: string;
  /** Null: the action was the first of the run, or retention has deleted the event. */
  inboundEventId: number | null;
  createdAt: Date;
  /** The number of the attempt that failed; null: the line is about none. */
  attempt: number | null;
  /** The delivery that failed, or that logged an error. */
  deliveryId: number | null;
  /** Why it failed, if the response tells more than the message. */
  cause: string | null;
}

/** The filter of a list of lines. */
export interface LogFilter {
  agentId: number;
  /** Lines of this stored level and above. */
  level?: number | undefined;
  storyRunGuid?: string | undefined;
}

/** Returns the ids of a page of lines, newest first. */
export async function listLogLineIds(
  session: Session,
  { agentId, level, storyRunGuid }: LogFilter,
  window: WalkWindow,
): Promise<WalkPage<number>> {
  const terms: [string, SqlValue][] = [['l.agent_id = ?', agentId]];
  if (level !== undefined) terms.push(['l.level >= ?', level]);
  if (storyRunGuid !== undefined) terms.push(['l.story_run_guid = ?', storyRunGuid]);
  const index = storyRunGuid === undefined ? 'agent_logs_agent' : 'agent_logs_run';
  const query = {
    id: 'l.id',
    from: `agent_logs l FORCE INDEX (${index})`,
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.map(([, value]) => value),
  };
  return readNewest(session, query, { window, total: await countUpTo(session, query) });
}

/** Returns the lines with these ids that still exist, in the order of the ids. */
export async function findLogLines(session: Session, ids: number[]): Promise<LogLine[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<LogLine>(
    `SELECT l.id, l.level, l.message, l.story_run_guid AS storyRunGuid, e.id AS inboundEventId,
            l.created_at AS createdAt, l.attempt, l.delivery_id AS deliveryId, l.cause
     FROM agent_logs l LEFT JOIN events e ON e.id = l.inbound_event_id AND e.agent_id <> 0
     WHERE l.id IN (?)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the number of lines that the run's actions have written. */
export function countLogLines(session: Session, storyRunGuid: string): Promise<number> {
  return countUpTo(session, {
    from: 'agent_logs l FORCE INDEX (agent_logs_run)',
    where: 'l.story_run_guid = ?',
    values: [storyRunGuid],
  });
}
