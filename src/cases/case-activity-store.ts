import { type Page, readPage, type Window } from '../db/page-query.js';
import type { Session } from '../db/session.js';
import type { ActivityType, CaseActivity } from './case.js';
import { usersById } from './case-people-store.js';

export interface NewActivity {
  caseId: number;
  activityType: ActivityType;
  value: string;
  userId: number;
}

/** An activity without its user. */
export type ActivityRow = Omit<CaseActivity, 'user'> & { userId: number };

export const ACTIVITY_COLUMNS =
  'id, case_id AS caseId, activity_type AS activityType, value, user_id AS userId, created_at AS createdAt';

/** Gives the new activity's id. */
export async function insertActivity(activity: NewActivity, session: Session): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO case_activities (case_id, activity_type, value, user_id) VALUES (?)',
    [[activity.caseId, activity.activityType, activity.value, activity.userId]],
  );
  return insertId;
}

/** A page of the case's activities, oldest first; only those of `type` when it is given. */
export async function listActivities(
  caseId: number,
  type: ActivityType | undefined,
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

/** The case's activity of this id and, when given, type. */
export async function findActivity(
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

export async function updateActivity(id: number, value: string, session: Session): Promise<void> {
  await session.run('UPDATE case_activities SET value = ? WHERE id = ?', [value, id]);
}

/** Deletes the activity, and what would still have told somebody of it. */
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
    rows.map(({ userId }) => userId),
    session,
  );
  return rows.map(({ userId, ...row }) => ({ ...row, user: users.get(userId) }));
}
