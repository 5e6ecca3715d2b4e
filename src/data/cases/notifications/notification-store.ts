import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';

/** An activity to notify users of. `userId` is the user who acted: they are not notified. */
export interface Announcement {
  caseId: number;
  activityId: number;
  userId: number;
}

/** A notification that is due. */
export interface DueNotification {
  id: number;
  caseId: number;
  activityId: number;
  /** Null if the notification is for a mentioned user. */
  subscriberId: number | null;
  userId: number | null;
  /** Failed attempts so far. */
  attempts: number;
  createdAt: Date;
}

/** Lease of one process on a notification; longer than an attempt can take. */
const LEASE_SECONDS = 300;
const KEEP_FAILED_DAYS = 14;

/** Adds the activity to the outbox for every subscriber of the case, in the transaction that wrote it. */
export async function queueForSubscribers(announcement: Announcement, session: Session): Promise<void> {
  const { caseId, activityId, userId } = announcement;
  await session.run(
    `INSERT INTO case_notifications (case_id, activity_id, subscriber_id, user_id)
     SELECT case_id, ?, id, user_id FROM case_subscribers
     WHERE case_id = ? AND (user_id IS NULL OR user_id <> ?) ORDER BY id`,
    [activityId, caseId, userId],
  );
}

/** The same for mentioned people of the tenant who are not subscribers of the case. */
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

/** Leases up to `limit` due notifications of tenants that are not frozen; other processes skip them. Must run in a transaction. */
export async function leaseNotifications(limit: number, session: Session): Promise<DueNotification[]> {
  const rows = await session.rows<DueNotification>(
    `SELECT id, case_id AS caseId, activity_id AS activityId, subscriber_id AS subscriberId, user_id AS userId,
            attempts, created_at AS createdAt
     FROM case_notifications WHERE state = 'due' AND due_at <= NOW(3)
       AND case_id NOT IN (SELECT c.id FROM tenants t JOIN cases c ON c.tenant_id = t.id WHERE t.frozen_at IS NOT NULL)
     ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  const ids = rows.map(({ id }) => ({ id })).toSorted((a, b) => a.id - b.id);
  if (ids.length === 0) return rows;
  // Join on the primary key: on a small table an IN list would scan all rows, and wait for other leases.
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id')) v
     STRAIGHT_JOIN case_notifications n ON n.id = v.id SET n.due_at = NOW(3) + INTERVAL ${LEASE_SECONDS} SECOND`,
    [JSON.stringify(ids)],
  );
  return rows;
}

/** Deletes a notification that was delivered, or whose case, activity or receiver no longer exists. */
export async function removeNotification(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM case_notifications WHERE id = ?', [id]);
}

/** Records a failed attempt. The next one is due in `delaySeconds`; never if that is undefined. */
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

/** Holds if a notification is due. */
export const ANY_NOTIFICATION_DUE =
  "EXISTS (SELECT 1 FROM case_notifications WHERE state = 'due' AND due_at <= NOW(3))";
/** Holds if a notification was given up more than 14 days ago. */
export const ANY_OLD_FAILURE = `EXISTS (SELECT 1 FROM case_notifications
  WHERE state = 'failed' AND due_at < NOW(3) - INTERVAL ${KEEP_FAILED_DAYS} DAY)`;

/** Deletes up to `limit` notifications that were given up more than 14 days ago. */
export async function forgetFailed(limit: number, session: Session): Promise<void> {
  await session.run(
    `DELETE FROM case_notifications
     WHERE state = 'failed' AND due_at < NOW(3) - INTERVAL ${KEEP_FAILED_DAYS} DAY ORDER BY due_at, id LIMIT ?`,
    [limit],
  );
}

/**
 * Returns the user's address. Undefined for a user who was deleted or deactivated, is a service account, or may not
 * see the team's cases.
 */
export async function findReader(
  userId: number,
  teamId: number,
  session: Session,
): Promise<{ email: string } | undefined> {
  return (await findReaders([userId], teamId, session)).get(userId);
}

/** Returns the addresses of those users for whom `findReader` returns one, by the user's id. */
export async function findReaders(
  userIds: readonly number[],
  teamId: number,
  session: Session,
): Promise<Map<number, { email: string }>> {
  const rows = await session.rows<{ id: number; email: string }>(
    `SELECT u.id, u.email FROM users u JOIN teams t ON t.tenant_id = u.tenant_id AND t.id = ?
     WHERE u.id IN (?) AND u.is_service_account = FALSE AND u.deactivated_at IS NULL
       AND (u.is_owner = TRUE
            OR EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.team_id = t.id))`,
    [teamId, idsOrNone(userIds)],
  );
  return new Map(rows.map(({ id, email }) => [id, { email }]));
}
