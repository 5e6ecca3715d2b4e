import { type Page, readPage, type Window } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { ActivityType, CaseActivity, CaseUser } from '../case.js';
import { usersById } from '../people/case-people-store.js';

export interface NewActivity {
  caseId: number;
  activityType: ActivityType;
  value: string;
  /** The user shown as the author. */
  userId: number;
  /** The user who wrote it. */
  actingUserId: number;
}

/** An activity without its users. */
export type ActivityRow = Omit<CaseActivity, 'user' | 'actingUser'> & {
  userId: number;
  /** Null if unknown. */
  actingUserId: number | null;
};

export const ACTIVITY_COLUMNS =
  'id, case_id AS caseId, activity_type AS activityType, value, user_id AS userId,' +
  ' acting_user_id AS actingUserId, created_at AS createdAt';

/** Returns the new activity's id. */
export async function insertActivity(activity: NewActivity, session: Session): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO case_activities (case_id, activity_type, value, user_id, acting_user_id) VALUES (?)',
    [[activity.caseId, activity.activityType, activity.value, activity.userId, activity.actingUserId]],
  );
  return insertId;
}

/** Returns a page of the case's activities, oldest first; only those of `type` if given. */
export async function listActivities(
  caseId: number,
  type: string | undefined,
  window: Window,
  session: Session,
): Promise<Page<CaseActivity>> {
  const page = await readPage<ActivityRow>(
    session,
    {
      columns: ACTIVITY_COLUMNS,
      from: 'case_activities',
      where: type === undefined ? 'case_id = ?' : 'case_id = ? AND activity_type = ?',
      values: type === undefined ? [caseId] : [caseId, type],
      order: 'id',
    },
    window,
  );
  return { ...page, items: await withUsers(page.items, session) };
}

/** Returns the case's activity with this id and, if given, this type. */
export async function findCaseActivity(
  caseId: number,
  id: number,
  session: Session,
  type?: ActivityType,
): Promise<CaseActivity | undefined> {
  const rows = await session.rows<ActivityRow>(
    `SELECT ${ACTIVITY_COLUMNS} FROM case_activities WHERE id = ? AND case_id = ?`,
    [id, caseId],
  );
  const [found] = await withUsers(rows, session);
  return type === undefined || found?.activityType === type ? found : undefined;
}

/** Replaces the text of the activity, and its acting user. */
export async function updateActivity(
  id: number,
  { value, actingUserId }: Pick<NewActivity, 'value' | 'actingUserId'>,
  session: Session,
): Promise<void> {
  await session.run('UPDATE case_activities SET value = ?, acting_user_id = ? WHERE id = ?', [
    value,
    actingUserId,
    id,
  ]);
}

/** Deletes the activity and its notifications that are not sent yet. */
export async function deleteActivity(activity: CaseActivity, session: Session): Promise<void> {
  await session.run('DELETE FROM case_notifications WHERE case_id = ? AND activity_id = ?', [
    activity.caseId,
    activity.id,
  ]);
  await session.run('DELETE FROM case_activities WHERE id = ?', [activity.id]);
}

async function withUsers(rows: ActivityRow[], session: Session): Promise<CaseActivity[]> {
  if (rows.length === 0) return [];
  const users = await usersById(
    rows.flatMap((row) => userIdsOf(row)),
    session,
  );
  return rows.map((row) => withPeople(row, users));
}

/** Returns the ids of the users that an activity shows. */
export function userIdsOf({ userId, actingUserId }: Pick<ActivityRow, 'userId' | 'actingUserId'>): number[] {
  return actingUserId === null ? [userId] : [userId, actingUserId];
}

/** Returns the activity with its users; a user missing in `users` is undefined. */
export function withPeople<Row extends ActivityRow>(
  { userId, actingUserId, ...row }: Row,
  users: ReadonlyMap<number, CaseUser>,
) {
  const isAnother = actingUserId !== null && actingUserId !== userId;
  return { ...row, user: users.get(userId), actingUser: isAnother ? users.get(actingUserId) : undefined };
}
