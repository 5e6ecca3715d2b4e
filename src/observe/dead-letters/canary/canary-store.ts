import type { Actor } from '../../../api/face.js';
import { countUpTo } from '../../../platform/mysql/statements/id-page.js';
import {
  readNewest,
  type WalkPage,
  type WalkWindow,
} from '../../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';
import {
  type Canary,
  type CanaryCounts,
  type CanaryQuery,
  type CanaryUser,
  KEPT_DAYS,
  MOST_HOURS,
  type StopReason,
} from './canary.js';

/** Retries that the loop takes up in one pass. */
const MOST_OPEN = 1_000;

const nameOf = (user: string) =>
  `COALESCE(NULLIF(TRIM(CONCAT_WS(' ', ${user}.first_name, ${user}.last_name)), ''), SUBSTRING_INDEX(${user}.email, '@', 1))`;

type CanaryRow = Omit<Canary, 'by' | 'stoppedBy'> & {
  userId: number | null;
  userName: string | null;
  stopperId: number | null;
  stopperName: string | null;
};

/** What a new retry is about. */
export interface NewCanary extends CanaryQuery {
  storyId: number;
  letters: number;
  leftOut: number;
}

/** Stores a retry of which nothing is retried yet; returns its id. */
export async function createCanary(
  session: Session,
  { tenantId, userId }: Pick<Actor, 'tenantId' | 'userId'>,
  { storyId, agentId, errorKind, letters, leftOut }: NewCanary,
): Promise<number> {
  const { insertId } = await session.run(
    `INSERT INTO canaries (tenant_id, story_id, agent_id, error_kind, user_id, waiting, left_out, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, NOW(3) + INTERVAL ${KEPT_DAYS} DAY)`,
    [tenantId, storyId, agentId ?? null, errorKind ?? null, userId, letters, leftOut],
  );
  return insertId;
}

/** Returns the number of the tenant's retries that run, up to `limit`. */
export function countOpenOf(session: Session, tenantId: number, limit: number): Promise<number> {
  const query = {
    from: 'canaries c FORCE INDEX (canaries_ended)',
    where: 'c.ended_at IS NULL AND c.tenant_id = ?',
    values: [tenantId],
  };
  return countUpTo(session, query, limit);
}

/** Returns the ids of a page of the retries of these teams, newest first. */
export async function listCanaryIds(
  session: Session,
  { tenantId, teamIds, ...query }: CanaryQuery & { tenantId: number; teamIds: number[] },
  window: WalkWindow,
): Promise<WalkPage<number>> {
  const terms: [string, ...SqlValue[]][] = [['c.tenant_id = ? AND s.team_id IN (?)', tenantId, teamIds]];
  if (query.storyId !== undefined) terms.push(['c.story_id = ?', query.storyId]);
  if (query.agentId !== undefined) terms.push(['c.agent_id = ?', query.agentId]);
  if (query.errorKind !== undefined) terms.push(['c.error_kind = ?', query.errorKind]);
  const index = query.storyId === undefined ? 'canaries_tenant' : 'canaries_story';
  const asked = {
    id: 'c.id',
    from: `canaries c FORCE INDEX (${index}) STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = c.story_id`,
    where: terms.map(([sql]) => sql).join(' AND '),
    values: terms.flatMap(([, ...values]) => values),
  };
  return readNewest(session, asked, { window, total: await countUpTo(session, asked) });
}

/** Returns the tenant's retries with these ids whose story still exists, in the order of the ids. */
export async function findCanaries(session: Session, tenantId: number, ids: number[]): Promise<Canary[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<CanaryRow>(
    `SELECT c.id, s.team_id AS teamId, c.story_id AS storyId, c.agent_id AS agentId, c.error_kind AS errorKind,
            c.stage, c.left_out AS leftOut, c.waiting, c.running, c.passed, c.failed, c.skipped,
            c.stop_reason AS stopReason, c.stop_error AS stopError, c.created_at AS createdAt,
            c.stopped_at AS stoppedAt, c.ended_at AS endedAt, u.id AS userId, ${nameOf('u')} AS userName,
            b.id AS stopperId, ${nameOf('b')} AS stopperName
     FROM canaries c JOIN stories s ON s.id = c.story_id
     LEFT JOIN users u ON u.id = c.user_id LEFT JOIN users b ON b.id = c.stopped_by
     WHERE c.id IN (?) AND c.tenant_id = ?`,
    [ids, tenantId],
  );
  const byId = new Map(rows.map((row) => [row.id, canaryFrom(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function canaryFrom({ userId, userName, stopperId, stopperName, ...row }: CanaryRow): Canary {
  return { ...row, by: userFrom(userId, userName), stoppedBy: userFrom(stopperId, stopperName) };
}

function userFrom(id: number | null, name: string | null): CanaryUser | null {
  return id === null ? null : { id, name: name ?? '' };
}

/** Whether any retry runs. */
export const ANY_OPEN_CANARY = 'EXISTS (SELECT 1 FROM canaries WHERE ended_at IS NULL)';

/** Returns the ids of retries that run, oldest first. */
export async function findOpenCanaries(session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT c.id FROM canaries c FORCE INDEX (canaries_ended)
     WHERE c.ended_at IS NULL ORDER BY c.id LIMIT ${MOST_OPEN}`,
  );
  return rows.map(({ id }) => id);
}

/** A retry under its lock. */
export interface LockedCanary {
  id: number;
  stage: number;
  stopReason: StopReason | null;
  hasEnded: boolean;
  /** It ran for as long as it may, its story is no more, or its tenant is being moved, where it does not go on. */
  isOver: boolean;
}

/** Locks a retry, so that one process at a time works on it; undefined: there is none. */
export async function lockCanary(session: Session, id: number): Promise<LockedCanary | undefined> {
  const [row] = await session.rows<Omit<LockedCanary, 'hasEnded' | 'isOver'> & Record<string, number>>(
    `SELECT id, stage, stop_reason AS stopReason, ended_at IS NOT NULL AS hasEnded,
            created_at < NOW(3) - INTERVAL ${MOST_HOURS} HOUR AS isOld,
            NOT EXISTS (SELECT 1 FROM stories s JOIN tenants t ON t.id = s.tenant_id
                        WHERE s.id = canaries.story_id AND t.frozen_at IS NULL) AS isOrphan
     FROM canaries WHERE id = ? FOR UPDATE`,
    [id],
  );
  if (row === undefined) return undefined;
  const { stage, stopReason, hasEnded, isOld, isOrphan } = row;
  return { id, stage, stopReason, hasEnded: hasEnded !== 0, isOver: isOld !== 0 || isOrphan !== 0 };
}

/** What has become of a retry in one pass. */
export interface CanaryProgress extends CanaryCounts {
  id: number;
  stage: number;
  hasEnded: boolean;
}

/** Stores how far a retry has come. */
export async function saveProgress(
  session: Session,
  { id, stage, waiting, running, passed, failed, skipped, hasEnded }: CanaryProgress,
): Promise<void> {
  await session.run(
    `UPDATE canaries SET stage = ?, waiting = ?, running = ?, passed = ?, failed = ?, skipped = ?,
            ended_at = IF(?, NOW(3), NULL) WHERE id = ?`,
    [stage, waiting, running, passed, failed, skipped, hasEnded ? 1 : 0, id],
  );
}

/** Why a retry stops. */
export interface Stop {
  reason: StopReason;
  error?: string | null;
  userId?: number;
}

/** Notes that a retry stops. */
export async function saveStop(session: Session, id: number, { reason, error, userId }: Stop): Promise<void> {
  await session.run(
    `UPDATE canaries SET stop_reason = ?, stop_error = ?, stopped_by = ?, stopped_at = NOW(3) WHERE id = ?`,
    [reason, error ?? null, userId ?? null, id],
  );
}
