import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Actor, Role } from '../../api/face.js';

/** The facts that a person is shown about themselves. */
export interface Profile {
  firstName: string;
  lastName: string;
  avatarUrl: string;
  tenantName: string;
  hasPassword: boolean;
  teams: { id: number; name: string; role: Role }[];
  /** The Owners to ask for a team; empty for an actor who has one, or needs none. */
  owners: { name: string; email: string }[];
}

interface ProfileRow extends Omit<Profile, 'hasPassword' | 'teams' | 'owners'> {
  hasPassword: number;
}

/** Returns the profile of an actor; undefined if its user is gone. */
export async function findProfile(actor: Actor, session: Session): Promise<Profile | undefined> {
  const [row] = await session.rows<ProfileRow>(
    `SELECT u.first_name AS firstName, u.last_name AS lastName, u.avatar_url AS avatarUrl, n.name AS tenantName,
            p.user_id IS NOT NULL AS hasPassword
     FROM users u JOIN tenants n ON n.id = u.tenant_id LEFT JOIN user_passwords p ON p.user_id = u.id
     WHERE u.id = ? AND u.tenant_id = ?`,
    [actor.userId, actor.tenantId],
  );
  if (row === undefined) return undefined;
  const names = await session.rows<{ id: number; name: string }>(
    'SELECT id, name FROM teams WHERE id IN (?) ORDER BY id',
    [idsOrNone([...actor.roles.keys()])],
  );
  const teams = names.flatMap(({ id, name }) => {
    const role = actor.roles.get(id);
    return role === undefined ? [] : [{ id, name, role }];
  });
  const owners = teams.length > 0 || actor.isOwner ? [] : await findOwners(actor.tenantId, session);
  return { ...row, hasPassword: row.hasPassword === 1, teams, owners };
}

/** Owners that a person without a team is told of. */
const MOST_OWNERS = 5;

async function findOwners(tenantId: number, session: Session): Promise<Profile['owners']> {
  const rows = await session.rows<{ firstName: string; lastName: string; email: string }>(
    `SELECT first_name AS firstName, last_name AS lastName, email FROM users
     WHERE tenant_id = ? AND is_owner = TRUE AND is_service_account = FALSE AND deactivated_at IS NULL
     ORDER BY id LIMIT ?`,
    [tenantId, MOST_OWNERS],
  );
  return rows.map(({ firstName, lastName, email }) => ({
    name: `${firstName} ${lastName}`.trim() || email,
    email,
  }));
}

/** Returns true if the installation has no second tenant. */
export async function hasOneTenant(session: Session): Promise<boolean> {
  return (await session.rows('SELECT id FROM tenants LIMIT 2')).length === 1;
}
