import { idsOrNone } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** An activity that others are to hear of. `userId` is whom it is of: nobody is told what they did themselves. */
export interface Announcement {
  caseId: number;
  activityId: number;
  userId: number;
}

/** A notification whose time has come. */
export interface DueNotification {
  id: number;
  caseId: number;
  activityId: number;
  /** Null: it tells a user of being mentioned. */
  subscriberId: number | null;
  userId: number | null;
  /** Failed attempts so far. */
  attempts: number;
  createdAt: Date;
}

/** How long one process has a notification to itself; longer than an attempt can take. */
const LEASE_SECONDS = 300;
const KEEP_FAILED_DAYS = 14;

/** Puts the activity in the outbox for every subscriber of the case, in the transaction that wrote it. */
export async function queueForSubscribers(announcement: Announcement, session: Session): Promise<void> {
  const { caseId, activityId, userId } = announcement;
  await session.run(
    `INSERT INTO case_notifications (case_id, activity_id, subscriber_id, user_id)
     SELECT case_id, ?, id, user_id FROM case_subscribers
     WHERE case_id = ? AND (user_id IS NULL OR user_id <> ?) ORDER BY id`,
    [activityId, caseId, userId],
  );
}

/** The same for people the activity mentions who may see the case and do not hear of it as subscribers anyway. */
export async function queueForMentioned(
  announcement: Announcement,
  mentioned: readonly number[],
  session: Session,
): Promise<void> {
  const { caseId, activityId, userId } = announcement;
  await session.run(
    `INSERT INTO case_notifications (case_id, activity_id, user_id)
     SELECT c.id, ?, u.id FROM cases c JOIN users u ON u.tenant_id = c.tenant_id
     WHERE c.id = ? AND u.id IN (?) AND u.id <> ? AND u.is_service_account = FALSE
       AND NOT EXISTS (SELECT 1 FROM case_subscribers s WHERE s.case_id = c.id AND s.user_id = u.id)
     ORDER BY u.id`,
    [activityId, caseId, idsOrNone(mentioned), userId],
  );
}

/** Takes up to `limit` due notifications; other processes pass over them. Call it in a transaction. */
export async function leaseNotifications(limit: number, session: Session): Promise<DueNotification[]> {
  const rows = await session.rows<DueNotification>(
    `SELECT id, case_id AS caseId, activity_id AS activityId, subscriber_id AS subscriberId, user_id AS userId,
            attempts, created_at AS createdAt
     FROM case_notifications WHERE state = 'due' AND due_at <= NOW(3)
     ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  const ids = rows.map(({ id }) => ({ id })).toSorted((a, b) => a.id - b.id);
  if (ids.length === 0) return rows;
  // Joined to the primary key: on a small table an IN list would scan, and wait for other leases.
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id')) v
     STRAIGHT_JOIN case_notifications n ON n.id = v.id SET n.due_at = NOW(3) + INTERVAL ${LEASE_SECONDS} SECOND`,
    [JSON.stringify(ids)],
  );
  return rows;
}

/** It was delivered, or there is nobody or nothing left to tell. */
export async function removeNotification(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM case_notifications WHERE id = ?', [id]);
}

/** An attempt failed: the next one is in `delaySeconds`, or never when that is undefined. */
export async function postponeNotification(
  id: number,
  failure: { error: string; delaySeconds: number | undefined },
  session: Session,
): Promise<void> {
  const { error, delaySeconds } = failure;
  await session.run(
    `UPDATE case_notifications SET attempts = attempts + 1, error = LEFT(?, 512), state = ?,
            due_at = NOW(3) + INTERVAL ? SECOND WHERE id = ?`,
    [error, delaySeconds === undefined ? 'failed' : 'due', delaySeconds ?? 0, id],
  );
}

/** Forgets some of the notifications that were given up long ago. */
export async function forgetFailed(limit: number, session: Session): Promise<void> {
  await session.run(
    `DELETE FROM case_notifications
     WHERE state = 'failed' AND due_at < NOW(3) - INTERVAL ${KEEP_FAILED_DAYS} DAY ORDER BY due_at, id LIMIT ?`,
    [limit],
  );
}

/** An address to write to; undefined when the user is gone or deactivated, is no person, or may not see the team's cases. */
export async function findReader(
  userId: number,
  teamId: number,
  session: Session,
): Promise<{ email: string } | undefined> {
  const [row] = await session.rows<{ email: string }>(
    `SELECT u.email FROM users u JOIN teams t ON t.tenant_id = u.tenant_id AND t.id = ?
     WHERE u.id = ? AND u.is_service_account = FALSE AND u.deactivated_at IS NULL
       AND (u.is_owner = TRUE
            OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.team_id = t.id))`,
    [teamId, userId],
  );
  return row;
}
