import type { Database } from '../db/database.js';
import type { Session } from '../db/session.js';
import type { Actor, Role } from './actor.js';

interface KeyRow {
  keyId: number;
  kind: Actor['kind'];
  tenantId: number;
  userId: number;
  userEmail: string;
  isOwner: number;
  keyTeamId: number | null;
}

interface RoleRow {
  teamId: number;
  role: Role | null;
}

const KEY_BY_DIGEST = `
  SELECT k.id AS keyId, k.kind, k.tenant_id AS tenantId, k.user_id AS userId, k.team_id AS keyTeamId,
         u.email AS userEmail, u.is_owner AS isOwner
  FROM api_keys k JOIN users u ON u.id = k.user_id AND u.tenant_id = k.tenant_id
  WHERE k.digest = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > NOW(3))
    AND u.deactivated_at IS NULL`;

const USER_AS_KEY = `
  SELECT 0 AS keyId, 'personal' AS kind, u.tenant_id AS tenantId, u.id AS userId, NULL AS keyTeamId,
         u.email AS userEmail, u.is_owner AS isOwner
  FROM users u WHERE u.id = ? AND u.deactivated_at IS NULL`;

const ROLES_OF_OWNER = `
  SELECT t.id AS teamId, 'TEAM_ADMIN' AS role
  FROM teams t LEFT JOIN memberships m ON m.team_id = t.id AND m.user_id = ?
  WHERE t.tenant_id = ? ORDER BY m.id IS NULL, m.id, t.id`;

const ROLES_OF_MEMBER = `
  SELECT t.id AS teamId, m.role
  FROM memberships m JOIN teams t ON t.id = m.team_id
  WHERE m.user_id = ? AND t.tenant_id = ? ORDER BY m.id`;

/** Who is behind a key: read afresh for each request, so that changes of roles and revocations hold at once. */
export function createActorStore(db: Pick<Database, 'read'>) {
  return {
    /** The actor of a key that is neither revoked nor expired and whose user is active, by the key's digest. */
    findByDigest: (digest: string): Promise<Actor | undefined> =>
      db.read((session) => findActor(session, KEY_BY_DIGEST, digest)),

    /** The user as an actor without a key (`keyId` 0), for the command line. */
    findByUser: (userId: number): Promise<Actor | undefined> =>
      db.read((session) => findActor(session, USER_AS_KEY, userId)),

    /** Notes that the key is in use; at most one write a minute, however many processes see it. */
    touch: async (keyId: number): Promise<void> => {
      await db.read((session) =>
        session.run(
          `UPDATE api_keys SET last_used_at = NOW(3)
           WHERE id = ? AND (last_used_at IS NULL OR last_used_at < NOW(3) - INTERVAL 1 MINUTE)`,
          [keyId],
        ),
      );
    },
  };
}

export type ActorStore = ReturnType<typeof createActorStore>;

async function findActor(session: Session, sql: string, value: string | number): Promise<Actor | undefined> {
  const [key] = await session.rows<KeyRow>(sql, [value]);
  if (key === undefined) return undefined;
  const rolesSql = key.isOwner ? ROLES_OF_OWNER : ROLES_OF_MEMBER;
  const roles = await session.rows<RoleRow>(rolesSql, [key.userId, key.tenantId]);
  return toActor(key, roles);
}

function toActor(key: KeyRow, rows: RoleRow[]): Actor {
  const seen = key.keyTeamId === null ? rows : rows.filter(({ teamId }) => teamId === key.keyTeamId);
  const roles = seen.flatMap(({ teamId, role }) => (role === null ? [] : [[teamId, role] as const]));
  return {
    keyId: key.keyId,
    kind: key.kind,
    tenantId: key.tenantId,
    userId: key.userId,
    userEmail: key.userEmail,
    isOwner: key.isOwner === 1,
    roles: new Map(roles),
    keyTeamId: key.keyTeamId ?? undefined,
  };
}
