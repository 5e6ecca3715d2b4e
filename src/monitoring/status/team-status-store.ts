import { idsOrNone } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { NoticeKind } from '../outbox/notice.js';
import type { NoticeChannel } from '../outbox/notice-store.js';
import type { TeamScope } from '../shared-by-scope.js';

/** A story with dead letters. */
export interface FailingStory {
  id: number;
  name: string;
  teamId: number;
  deadLetters: number;
  since: Date;
  lastAt: Date;
  lastError: string;
}

/** A monitored action of whose silence its recipients were told. */
export interface SilentAction {
  id: number;
  name: string;
  storyId: number;
  storyName: string;
  teamId: number;
  /** Its last event, or when watching began. */
  since: Date;
}

/** A notice with its outcome. */
export interface ToldNotice {
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
  /** Its end; of one that is due, the next attempt. */
  at: Date;
}

/** Dead letters of the installation that are looked at, the newest first. */
const MOST_LETTERS = 10_000;
const MOST_NOTICES_READ = 1_000;

/** Returns the stories with dead letters among the newest ones, the last to fail first. Their errors follow (`findLastErrors`). */
export function findFailingStories(
  session: Session,
  { tenantId, teamIds }: TeamScope,
): Promise<(Omit<FailingStory, 'lastError'> & { lastId: number })[]> {
  return session.rows(
    `SELECT s.id, s.name, s.team_id AS teamId, COUNT(*) AS deadLetters, MIN(d.due_at) AS since,
            MAX(d.due_at) AS lastAt, MAX(d.id) AS lastId
     FROM (SELECT id, story_id, due_at FROM deliveries FORCE INDEX (deliveries_due)
           WHERE state = 'failed' ORDER BY due_at DESC, id DESC LIMIT ${MOST_LETTERS}) d
     STRAIGHT_JOIN stories s ON s.id = d.story_id
     WHERE s.tenant_id = ? AND s.team_id IN (?) AND s.draft_of IS NULL
     GROUP BY s.id, s.name, s.team_id ORDER BY lastAt DESC, s.id`,
    [tenantId, idsOrNone(teamIds)],
  );
}

/** Returns whether the installation has more dead letters than are looked at. */
export async function hasOlderLetters(session: Session): Promise<boolean> {
  const rows = await session.rows(
    `SELECT id FROM deliveries FORCE INDEX (deliveries_due) WHERE state = 'failed'
     ORDER BY due_at DESC, id DESC LIMIT 1 OFFSET ${MOST_LETTERS}`,
  );
  return rows.length > 0;
}

/** Returns the errors of these dead letters, by id. */
export async function findLastErrors(session: Session, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await session.rows<{ id: number; error: string | null }>(
    'SELECT id, error FROM deliveries WHERE id IN (?)',
    [idsOrNone(ids)],
  );
  return new Map(rows.map(({ id, error }) => [id, error ?? '']));
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
): Promise<ToldNotice[]> {
  return session.rows<ToldNotice>(
    `SELECT n.id, n.kind, n.channel, n.team_id AS teamId, n.story_id AS storyId,
            JSON_LENGTH(n.recipients) AS recipients, n.state, n.attempts, n.error, n.created_at AS createdAt, n.due_at AS at
     FROM (SELECT id, team_id FROM notices FORCE INDEX (notices_tenant)
           WHERE tenant_id = ? ORDER BY tenant_id DESC, id DESC LIMIT ${MOST_NOTICES_READ}) x
     STRAIGHT_JOIN notices n ON n.id = x.id WHERE x.team_id IN (?) ORDER BY n.id DESC LIMIT ?`,
    [tenantId, idsOrNone(teamIds), limit],
  );
}
