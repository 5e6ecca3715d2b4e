import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoredSchedule } from './schedule-store.js';

/** A schedule that is due; its row is locked until the transaction ends. */
export interface DueSchedule extends StoredSchedule {
  storyId: number;
  nextAt: Date;
  /** The database's time at the query. */
  now: Date;
  isPaused: boolean;
}

/** The agent that a schedule starts. */
export interface ScheduledAgent {
  type: string;
  /** The story or the agent is disabled, or the tenant frozen. */
  disabled: boolean;
  tenantId: number;
}

/** The move of a schedule from one time to the next. */
export interface ScheduleMove {
  id: number;
  /** Its previous time; the move applies only if it is unchanged. */
  from: Date;
  to: Date;
  /** The guid of the run that was started at `from`; undefined: none was. */
  runGuid: string | undefined;
  /** Why starts from `from` to now were left out; undefined: none was. */
  skipped: SkipReason | undefined;
}

/** `late`: no process ran at that time. `quota`: the tenant may start no more runs today. */
export type SkipReason = 'late' | 'quota';

/** Holds if a schedule is due. */
export const ANY_SCHEDULE_DUE =
  'EXISTS (SELECT 1 FROM schedules FORCE INDEX (schedules_due) WHERE next_at <= NOW(3))';

/** Locks and returns up to `limit` due schedules; other schedulers skip them. Call it in a transaction. */
export async function lockDueSchedules(limit: number, session: Session): Promise<DueSchedule[]> {
  const rows = await session.rows<Omit<DueSchedule, 'isPaused'> & { isPaused: number }>(
    `SELECT id, story_id AS storyId, agent_id AS agentId, cron, timezone, next_at AS nextAt, NOW(3) AS now,
            paused_at IS NOT NULL AS isPaused
     FROM schedules FORCE INDEX (schedules_due)
     WHERE next_at <= NOW(3) ORDER BY next_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  return rows.map(({ isPaused, ...row }) => ({ ...row, isPaused: isPaused !== 0 }));
}

/** Returns the existing agents among these, by id. */
export async function findScheduledAgents(
  ids: number[],
  session: Session,
): Promise<Map<number, ScheduledAgent>> {
  const rows = await session.rows<{ id: number; type: string; disabled: number; tenantId: number }>(
    `SELECT a.id, a.type, a.disabled OR s.disabled OR n.frozen_at IS NOT NULL AS disabled,
            t.tenant_id AS tenantId
     FROM agents a JOIN stories s ON s.id = a.story_id JOIN teams t ON t.id = s.team_id
       LEFT JOIN tenants n ON n.id = t.tenant_id WHERE a.id IN (?)`,
    [ids],
  );
  return new Map(rows.map(({ id, disabled, ...agent }) => [id, { ...agent, disabled: disabled !== 0 }]));
}

/** Sets the schedules' next times. Returns how many still had their `from` time. */
export async function moveSchedules(moves: ScheduleMove[], session: Session): Promise<number> {
  if (moves.length === 0) return 0;
  const ascending = moves
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, from, to, runGuid, skipped }) => ({
      id,
      from: stamp(from),
      to: stamp(to),
      runGuid,
      skipped,
    }));
  const { affectedRows } = await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
         id BIGINT PATH '$.id', from_at DATETIME(3) PATH '$.from', to_at DATETIME(3) PATH '$.to',
         run_guid CHAR(36) PATH '$.runGuid', skipped VARCHAR(16) PATH '$.skipped')) v
     STRAIGHT_JOIN schedules s FORCE INDEX (PRIMARY) ON s.id = v.id
     SET s.last_at = IF(v.run_guid IS NULL, s.last_at, v.from_at),
         s.last_run_guid = IF(v.run_guid IS NULL, s.last_run_guid, v.run_guid),
         s.skipped_at = IF(v.skipped IS NULL, s.skipped_at, v.from_at),
         s.skipped_until = IF(v.skipped IS NULL, s.skipped_until, NOW(3)),
         s.skipped_reason = COALESCE(v.skipped, s.skipped_reason), s.next_at = v.to_at
     WHERE s.next_at = v.from_at`,
    [JSON.stringify(ascending)],
  );
  return affectedRows;
}

/** Formats a time for the database. */
function stamp(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '');
}

/** Returns for how many seconds the most overdue schedule has been due; 0 if none is. */
export async function scheduleLagSeconds(session: Session): Promise<number> {
  const [row] = await session.rows<{ late: string | number | null }>(
    `SELECT TIMESTAMPDIFF(MICROSECOND, LEAST(COALESCE(MIN(next_at), NOW(3)), NOW(3)), NOW(3)) AS late FROM schedules`,
  );
  return Number(row?.late ?? 0) / 1e6;
}

/** A schedule that has left out starts, from `from` on. */
export interface SkippingSchedule {
  id: number;
  from: Date;
}

/** Returns up to `limit` schedules of these teams that have left out a start in the last day. */
export function findSkippingSchedules(
  session: Session,
  { tenantId, teamIds }: { tenantId: number; teamIds: readonly number[] },
  limit: number,
): Promise<SkippingSchedule[]> {
  return session.rows<SkippingSchedule>(
    `SELECT p.id, p.skipped_at AS \`from\`
     FROM stories s STRAIGHT_JOIN schedules p FORCE INDEX (schedules_story) ON p.story_id = s.id
     WHERE s.tenant_id = ? AND s.team_id IN (?) AND p.skipped_until > NOW(3) - INTERVAL 1 DAY LIMIT ?`,
    [tenantId, idsOrNone([...teamIds]), limit],
  );
}

/** A schedule that is late, or has left out starts in the last day. */
export interface TroubledSchedule {
  id: number;
  teamId: number;
  storyId: number;
  storyName: string;
  agentId: number;
  agentName: string;
  nextAt: Date;
  /** The starts that it left out last; undefined: it is late now. */
  skip: { from: Date; until: Date; reason: SkipReason } | undefined;
}

interface TroubledRow extends Omit<TroubledSchedule, 'skip'> {
  isLate: number;
  skippedAt: Date | null;
  skippedUntil: Date | null;
  skippedReason: SkipReason | null;
}

/** A schedule starts within a second; after so long nobody starts it. */
const LATE_SECONDS = 60;

/** Returns up to `limit` schedules of these teams' live stories that are late, or have left out a start in the last day. */
export async function findTroubledSchedules(
  session: Session,
  { tenantId, teamIds }: { tenantId: number; teamIds: readonly number[] },
  limit: number,
): Promise<TroubledSchedule[]> {
  const isLate = `p.next_at < NOW(3) - INTERVAL ${LATE_SECONDS} SECOND AND p.paused_at IS NULL
         AND a.disabled = FALSE AND s.disabled = FALSE`;
  const rows = await session.rows<TroubledRow>(
    `SELECT p.id, s.team_id AS teamId, s.id AS storyId, s.name AS storyName, a.id AS agentId, a.name AS agentName,
            p.next_at AS nextAt, ${isLate} AS isLate, p.skipped_at AS skippedAt, p.skipped_until AS skippedUntil,
            p.skipped_reason AS skippedReason
     FROM stories s STRAIGHT_JOIN schedules p FORCE INDEX (schedules_story) ON p.story_id = s.id
       STRAIGHT_JOIN agents a FORCE INDEX (PRIMARY) ON a.id = p.agent_id
     WHERE s.tenant_id = ? AND s.team_id IN (?) AND s.draft_of IS NULL
       AND (p.skipped_until > NOW(3) - INTERVAL 1 DAY OR (${isLate}))
     LIMIT ?`,
    [tenantId, idsOrNone([...teamIds]), limit],
  );
  return rows.map(({ isLate: late, skippedAt, skippedUntil, skippedReason, ...row }) => ({
    ...row,
    skip:
      late !== 0 || skippedAt === null || skippedUntil === null || skippedReason === null
        ? undefined
        : { from: skippedAt, until: skippedUntil, reason: skippedReason },
  }));
}
