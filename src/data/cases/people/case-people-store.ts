import {
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { CaseUser } from '../case.js';

type UserRow = Omit<CaseUser, 'isServiceAccount'> & { isServiceAccount: number };

const USER =
  'u.id, u.first_name AS firstName, u.last_name AS lastName, u.email, u.avatar_url AS avatarUrl,' +
  ' u.is_service_account AS isServiceAccount';

function toUser({ isServiceAccount, ...row }: UserRow): CaseUser {
  return { ...row, isServiceAccount: isServiceAccount === 1 };
}

/** Returns the users by id. */
export async function usersById(ids: Iterable<number>, session: Session): Promise<Map<number, CaseUser>> {
  const rows = await session.rows<UserRow>(`SELECT ${USER} FROM users u WHERE u.id IN (?)`, [
    idsOrNone([...new Set(ids)]),
  ]);
  return new Map(rows.map((row) => [row.id, toUser(row)]));
}

/** Returns the tenant's users by lower-case e-mail address. The comparison ignores letter case, but not accents. */
export async function usersByEmail(
  emails: readonly string[],
  tenantId: number,
  session: Session,
): Promise<Map<string, CaseUser>> {
  if (emails.length === 0) return new Map();
  const rows = await session.rows<UserRow>(
    `SELECT ${USER} FROM users u WHERE u.tenant_id = ? AND u.email IN (?)`,
    [tenantId, [...emails]],
  );
  const known = rows.map((row) => [row.email.toLowerCase(), toUser(row)] as const);
  return new Map(known);
}

/** Returns the ids of the case's assignees, in the order of their assignment. */
export async function assigneeIds(caseId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ userId: number }>(
    'SELECT user_id AS userId FROM case_assignees WHERE case_id = ? ORDER BY id',
    [caseId],
  );
  return rows.map(({ userId }) => userId);
}

/** Returns a page of the case's assignees, in the order of their assignment. */
export async function listAssignees(
  caseId: number,
  window: Window,
  session: Session,
): Promise<Page<CaseUser>> {
  const { items, total } = await readPage<UserRow>(
    session,
    {
      columns: USER,
      from: 'case_assignees a JOIN users u ON u.id = a.user_id',
      where: 'a.case_id = ?',
      values: [caseId],
      order: 'a.id',
    },
    window,
  );
  return { items: items.map(toUser), total };
}

export async function addAssignees(
  caseId: number,
  userIds: readonly number[],
  session: Session,
): Promise<void> {
  if (userIds.length === 0) return;
  await session.run('INSERT INTO case_assignees (case_id, user_id) VALUES ?', [
    userIds.map((userId) => [caseId, userId]),
  ]);
}

export async function removeAssignees(
  caseId: number,
  userIds: readonly number[],
  session: Session,
): Promise<void> {
  await session.run('DELETE FROM case_assignees WHERE case_id = ? AND user_id IN (?)', [
    caseId,
    idsOrNone(userIds),
  ]);
}
