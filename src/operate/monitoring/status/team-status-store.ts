import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { NoticeKind } from '../outbox/notice.js';
import type { NoticeChannel } from '../outbox/notice-store.js';
import type { TeamScope } from '../shared-by-scope.js';

/** A story with dead letters, as far as they were counted. Its last error follows (`findLastErrors`). */
export interface CountedStory {
  id: number;
  name: string;
  teamId: number;
  deadLetters: number;
  since: Date;
  lastAt: Date;
  lastId: number;
}

/** A place in the order of dead letters. The time is in the database's format. */
export interface DeadLetterScope {
  dueAt: string;
  id: number;
}

/** A monitored action of whose silence its recipients were told. */
export interface SilentAction {
  id: number;
  name: string;
  storyId: number;
  storyName: string;
  teamId: number;
  /** Time of its last event, or when monitoring began. */
  since: Date;
}

/** A notice with its outcome. */
export interface FailedNotice {
  id: number;
  kind: NoticeKind;
  channel: NoticeChannel;
  teamId: number;
  storyId: number | null;
  recipients: number;
  state: 'due' | 'sent' | 'failed';
  attempts: number;
  error: string | null;
  createdAt: Date;
  /** When it ended; if due, when the next attempt is made. */
  at: Date;
}

const MOST_NOTICES_READ = 1_000;
/** Before the newest dead letter. */
export const NEWEST: DeadLetterScope = { dueAt: '9999-12-31 00:00:00', id: 0 };
/** After the oldest one. */
const OLDEST: DeadLetterScope = { dueAt: '1970-01-01 00:00:00', id: 0 };
const BEFORE = 'd.due_at <= ? AND (d.due_at < ? OR d.id < ?)';
const NOT_BEFORE = 'd.due_at >= ? AND (d.due_at > ? OR d.id >= ?)';

/**
 * Returns the place of the dead letter that is `count` letters older than a place, whosever they are. Undefined: there are
 * fewer.
 */
export async function findOlderPlace(
  session: Session,
  { dueAt, id }: DeadLetterScope,
  count: number,
): Promise<DeadLetterScope | undefined> {
  const [place] = await session.rows<DeadLetterScope>(
    `SELECT CAST(d.due_at AS CHAR) AS dueAt, d.id FROM deliveries d FORCE INDEX (deliveries_due)
     WHERE d.state = 'failed' AND ${BEFORE} ORDER BY d.due_at DESC, d.id DESC LIMIT 1 OFFSET ?`,
    [dueAt, dueAt, id, count - 1],
  );
  return place;
}

/** Counts the dead letters of the teams' stories that are older than `from`, down to `to`; undefined: all of them. */
export function countTeamDeadLetters(
  session: Session,
  { tenantId, teamIds }: TeamScope,
  { from, to = OLDEST }: { from: DeadLetterScope; to: DeadLetterScope | undefined },
): Promise<CountedStory[]> {
  return session.rows<CountedStory>(
    `SELECT s.id, s.name, s.team_id AS teamId, COUNT(*) AS deadLetters, MIN(d.due_at) AS since,
            MAX(d.due_at) AS lastAt, MAX(d.id) AS lastId
     FROM deliveries d FORCE INDEX (deliveries_due) STRAIGHT_JOIN stories s ON s.id = d.story_id
     WHERE d.state = 'failed' AND ${BEFORE} AND ${NOT_BEFORE}
       AND s.tenant_id = ? AND s.team_id IN (?) AND s.draft_of IS NULL
     GROUP BY s.id, s.name, s.team_id`,
    [from.dueAt, from.dueAt, from.id, to.dueAt, to.dueAt, to.id, tenantId, idsOrNone(teamIds)],
  );
}

/** Why a dead letter failed. */
export interface LastError {
  error: string | null;
  cause: string | null;
}

/** Returns the errors of these dead letters, by id. */
export async function findLastErrors(
  session: Session,
  ids: readonly number[],
): Promise<Map<number, LastError>> {
  const rows = await session.rows<LastError & { id: number }>(
    'SELECT id, error, cause FROM deliveries WHERE id IN (?)',
    [idsOrNone(ids)],
  );
  return new Map(rows.map(({ id, ...error }) => [id, error]));
}

/** Returns up to `limit` silent actions, by id. */
export function findSilentActions(
  session: Session,
  { tenantId, teamIds }: TeamScope,
  limit: number,
): Promise<SilentAction[]> {
  return session.rows<SilentAction>(
    `SELECT a.id, a.name, s.id AS storyId, s.name AS storyName, s.team_id AS teamId, w.seen_at AS since
     FROM action_watches w FORCE INDEX (action_watches_silent)
     STRAIGHT_JOIN agents a ON a.id = w.agent_id STRAIGHT_JOIN stories s ON s.id = a.story_id
     WHERE w.told_silence = TRUE AND s.tenant_id = ? AND s.team_id IN (?) ORDER BY w.agent_id LIMIT ?`,
    [tenantId, idsOrNone(teamIds), limit],
  );
}

/** Returns up to `limit` of the tenant's last thousand notices, newest first. */
export function findLastNotices(
  session: Session,
  { tenantId, teamIds }: TeamScope,
  limit: number,
): Promise<FailedNotice[]> {
  return session.rows<FailedNotice>(
    `SELECT n.id, n.kind, n.channel, n.team_id AS teamId, n.story_id AS storyId,
            JSON_LENGTH(n.recipients) AS recipients, n.state, n.attempts, n.error, n.created_at AS createdAt, n.due_at AS at
     FROM (SELECT id, team_id FROM notices FORCE INDEX (notices_tenant)
           WHERE tenant_id = ? ORDER BY tenant_id DESC, id DESC LIMIT ${MOST_NOTICES_READ}) x
     STRAIGHT_JOIN notices n ON n.id = x.id WHERE x.team_id IN (?) ORDER BY n.id DESC LIMIT ?`,
    [tenantId, idsOrNone(teamIds), limit],
  );
}
