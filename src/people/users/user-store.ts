import {
  assignments,
  idsOrNone,
  type Page,
  containsPattern,
  readPage,
  type Window,
} from '../../platform/mysql/statements/page-query.js';
import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { Role } from '../../api/face.js';
import { LAST_SEEN } from './last-seen.js';
import type { User } from '../tenants/tenancy.js';

/** A user as the API shows it. */
export interface UserRecord extends User {
  /** Time of the deactivation; null for an active account. */
  deactivatedAt: Date | null;
  updatedAt: Date;
  /** Time of the last request with one of its keys, to the minute; null if there was none. */
  lastSeenAt: Date | null;
}

/** A user's role in a team. */
export interface TeamMembership {
  userId: number;
  teamId: number;
  teamName: string;
  role: Role;
}

export type UserColumns = Pick<UserRecord, 'email' | 'firstName' | 'lastName' | 'avatarUrl' | 'isOwner'>;

/** Filter of the tenant's users. */
export interface UserFilter {
  tenantId: number;
  /** Only members of these teams and the user itself; undefined: all users. */
  seenBy: { teamIds: number[]; userId: number } | undefined;
  /** Part of the name or the address. */
  search?: string | undefined;
  /** Only Owners of the tenant. */
  ownersOnly?: boolean | undefined;
}

type UserRow = Omit<UserRecord, 'isOwner' | 'isServiceAccount'> & {
  isOwner: number;
  isServiceAccount: number;
};

const COLUMNS =
  'u.id, u.tenant_id AS tenantId, u.email, u.first_name AS firstName, u.last_name AS lastName,' +
  ' u.avatar_url AS avatarUrl, u.is_owner AS isOwner, u.is_service_account AS isServiceAccount,' +
  ' u.deactivated_at AS deactivatedAt, u.created_at AS createdAt, u.updated_at AS updatedAt,' +
  ` ${LAST_SEEN} AS lastSeenAt`;

/** Returns a page of users, by id. */
export async function listUsers(
  filter: UserFilter,
  window: Window,
  session: Session,
): Promise<Page<UserRecord>> {
  const { where, values } = whereOf(filter);
  const query = { columns: COLUMNS, from: 'users u', where, values, order: 'u.id' };
  const { items, total } = await readPage<UserRow>(session, query, window);
  return { items: items.map(toUser), total };
}

/** A user who has an e-mail address of the tenant. */
export interface AddressOwner {
  id: number;
  isActive: boolean;
  isServiceAccount: boolean;
}

/** Returns the tenant's user with this e-mail address, also an inactive one. */
export async function findAddressOwner(
  { tenantId, email }: { tenantId: number; email: string },
  session: Session,
): Promise<AddressOwner | undefined> {
  const [row] = await session.rows<{ id: number; isActive: number; isServiceAccount: number }>(
    'SELECT id, deactivated_at IS NULL AS isActive, is_service_account AS isServiceAccount FROM users' +
      ' WHERE tenant_id = ? AND email = ?',
    [tenantId, email],
  );
  return row && { id: row.id, isActive: row.isActive === 1, isServiceAccount: row.isServiceAccount === 1 };
}

/** Returns the user with this id if it matches the filter. */
export async function findUser(
  id: number,
  filter: UserFilter,
  session: Session,
): Promise<UserRecord | undefined> {
  const { where, values } = whereOf(filter);
  const [row] = await session.rows<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = ? AND ${where}`, [
    id,
    ...values,
  ]);
  return row && toUser(row);
}

/** Returns the new user's id. @throws a duplicate key error if the tenant already has this address. */
export async function insertUser(tenantId: number, user: UserColumns, session: Session): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO users (tenant_id, email, first_name, last_name, avatar_url, is_owner) VALUES (?)',
    [[tenantId, user.email, user.firstName, user.lastName, user.avatarUrl, user.isOwner]],
  );
  return insertId;
}

/** Sets the given fields. `active` activates or deactivates the account. */
export async function updateUser(
  id: number,
  change: Partial<UserColumns> & { active?: boolean },
  session: Session,
): Promise<void> {
  const set = assignments({
    email: change.email,
    first_name: change.firstName,
    last_name: change.lastName,
    avatar_url: change.avatarUrl,
    is_owner: change.isOwner,
    deactivated_at: change.active === true ? null : undefined,
  });
  if (set !== undefined) {
    await session.run(`UPDATE users SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [...set.values, id]);
  }
  if (change.active !== false) return;
  await session.run(
    'UPDATE users SET deactivated_at = NOW(3), updated_at = NOW(3) WHERE id = ? AND deactivated_at IS NULL',
    [id],
  );
}

/** Returns the users' roles in these teams, oldest membership first. */
export async function listTeamMemberships(
  userIds: readonly number[],
  teamIds: readonly number[],
  session: Session,
): Promise<TeamMembership[]> {
  return session.rows<TeamMembership>(
    `SELECT m.user_id AS userId, m.team_id AS teamId, t.name AS teamName, m.role
     FROM memberships m JOIN teams t ON t.id = m.team_id
     WHERE m.user_id IN (?) AND m.team_id IN (?) ORDER BY m.id`,
    [idsOrNone([...userIds]), idsOrNone([...teamIds])],
  );
}

/** Locks the tenant until the transaction ends, so that no other transaction counts its Owners or templates meanwhile. */
export async function lockTenant(id: number, session: Session): Promise<void> {
  await claimRow(session, 'tenants', id);
}

/** Counts the active Owners of the tenant who are people. */
export async function countOwners(tenantId: number, session: Session): Promise<number> {
  const [row] = await session.rows<{ n: number }>(
    'SELECT COUNT(*) AS n FROM users WHERE tenant_id = ? AND is_owner = TRUE' +
      ' AND is_service_account = FALSE AND deactivated_at IS NULL',
    [tenantId],
  );
  return row?.n ?? 0;
}

function whereOf({ tenantId, seenBy, search, ownersOnly }: UserFilter): {
  where: string;
  values: SqlValue[];
} {
  const terms: [string, SqlValue[]][] = [['u.tenant_id = ?', [tenantId]]];
  if (seenBy !== undefined) {
    terms.push([
      '(u.id = ? OR u.id IN (SELECT m.user_id FROM memberships m WHERE m.team_id IN (?)))',
      [seenBy.userId, idsOrNone(seenBy.teamIds)],
    ]);
  }
  if (search !== undefined && search !== '') {
    terms.push([
      "(u.email LIKE ? ESCAPE '!' OR CONCAT(u.first_name, ' ', u.last_name) LIKE ? ESCAPE '!')",
      [containsPattern(search), containsPattern(search)],
    ]);
  }
  if (ownersOnly === true) terms.push(['u.is_owner = TRUE', []]);
  return { where: terms.map(([sql]) => sql).join(' AND '), values: terms.flatMap(([, values]) => values) };
}

function toUser(row: UserRow): UserRecord {
  return { ...row, isOwner: row.isOwner === 1, isServiceAccount: row.isServiceAccount === 1 };
}
