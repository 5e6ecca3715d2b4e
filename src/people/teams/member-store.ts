import type { Role } from '../../api/face.js';
import { type Page, readPage, type Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { LAST_SEEN } from '../users/last-seen.js';

/** A user in a team. */
export interface Member {
  teamId: number;
  userId: number;
  email: string;
  firstName: string;
  lastName: string;
  isServiceAccount: boolean;
  isOwner: boolean;
  /** Time of the last request with one of the user's keys, to the minute; null if there was none. */
  lastSeenAt: Date | null;
  role: Role;
  createdAt: Date;
}

type MemberRow = Omit<Member, 'isServiceAccount' | 'isOwner'> & { isServiceAccount: number; isOwner: number };

const COLUMNS =
  'm.team_id AS teamId, m.user_id AS userId, u.email, u.first_name AS firstName, u.last_name AS lastName,' +
  ' u.is_service_account AS isServiceAccount, u.is_owner AS isOwner, m.role, m.created_at AS createdAt,' +
  ` ${LAST_SEEN} AS lastSeenAt`;
const FROM = 'memberships m JOIN users u ON u.id = m.user_id';

/** Returns a page of the team's members, oldest membership first. */
export async function listMembers(teamId: number, window: Window, session: Session): Promise<Page<Member>> {
  const query = { columns: COLUMNS, from: FROM, where: 'm.team_id = ?', values: [teamId], order: 'm.id' };
  const { items, total } = await readPage<MemberRow>(session, query, window);
  return { items: items.map(toMember), total };
}

export async function findMember(
  teamId: number,
  userId: number,
  session: Session,
): Promise<Member | undefined> {
  const [row] = await session.rows<MemberRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE m.user_id = ? AND m.team_id = ?`,
    [userId, teamId],
  );
  return row && toMember(row);
}

/** Returns the tenant's active person with this id or address. The comparison ignores letter case, but not accents. */
export async function findTenantPerson(
  tenantId: number,
  { userId, email }: { userId?: number | undefined; email?: string | undefined },
  session: Session,
): Promise<number | undefined> {
  // The column's collation treats é as e, so compare again: such an address belongs to another user.
  const rows = await session.rows<{ id: number; email: string }>(
    'SELECT id, email FROM users WHERE tenant_id = ? AND (id = ? OR email = ?)' +
      ' AND is_service_account = FALSE AND deactivated_at IS NULL',
    [tenantId, userId ?? null, email ?? null],
  );
  return rows.find((row) => row.id === userId || row.email.toLowerCase() === email?.toLowerCase())?.id;
}

/** @throws a duplicate key error if the user is already a member. */
export async function insertMember(
  member: Pick<Member, 'teamId' | 'userId' | 'role'>,
  session: Session,
): Promise<void> {
  await session.run('INSERT INTO memberships (team_id, user_id, role) VALUES (?, ?, ?)', [
    member.teamId,
    member.userId,
    member.role,
  ]);
}

export async function setRole(
  { teamId, userId, role }: Pick<Member, 'teamId' | 'userId' | 'role'>,
  session: Session,
): Promise<void> {
  await session.run('UPDATE memberships SET role = ? WHERE user_id = ? AND team_id = ?', [
    role,
    userId,
    teamId,
  ]);
}

export async function deleteMember(teamId: number, userId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM memberships WHERE user_id = ? AND team_id = ?', [userId, teamId]);
}

function toMember(row: MemberRow): Member {
  return { ...row, isServiceAccount: row.isServiceAccount === 1, isOwner: row.isOwner === 1 };
}

/** Returns true for an active person of the tenant who can see the team; null: of any team. `ownersOnly`: for an Owner. */
export async function isTeamReader(
  {
    tenantId,
    userId,
    teamId,
    ownersOnly = false,
  }: { tenantId: number; userId: number; teamId: number | null; ownersOnly?: boolean },
  session: Session,
): Promise<boolean> {
  const rows = await session.rows(
    `SELECT u.id FROM users u
     WHERE u.id = ? AND u.tenant_id = ? AND u.is_service_account = FALSE AND u.deactivated_at IS NULL
       AND (u.is_owner OR (NOT ? AND EXISTS (SELECT 1 FROM memberships m
                                             WHERE m.user_id = u.id AND m.team_id = COALESCE(?, m.team_id))))`,
    [userId, tenantId, ownersOnly, teamId],
  );
  return rows.length > 0;
}
