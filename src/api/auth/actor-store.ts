import { createBatchLoader } from '../../platform/mysql/statements/batch-loader.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Actor, Role } from './actor.js';

/** A row with what an actor is made of. */
export interface ActorRow {
  keyId: number;
  kind: Actor['kind'];
  tenantId: number;
  userId: number;
  userEmail: string;
  isOwner: number;
  isFrozen: number;
  keyTeamId: number | null;
}

interface RoleRow {
  userId: number;
  teamId: number;
  role: Role;
}

const KEYS_BY_DIGEST = `
  SELECT k.digest, k.id AS keyId, k.kind, k.tenant_id AS tenantId, k.user_id AS userId, k.team_id AS keyTeamId,
         u.email AS userEmail, u.is_owner AS isOwner, n.frozen_at IS NOT NULL AS isFrozen
  FROM api_keys k JOIN users u ON u.id = k.user_id AND u.tenant_id = k.tenant_id
    LEFT JOIN tenants n ON n.id = k.tenant_id
  WHERE k.digest IN (?) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > NOW(3))
    AND u.deactivated_at IS NULL`;

const WORKING_DIGESTS = `
  SELECT digest FROM api_keys
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > NOW(3)) LIMIT ?`;

const USER_AS_KEY = `
  SELECT 0 AS keyId, 'personal' AS kind, u.tenant_id AS tenantId, u.id AS userId, ? AS keyTeamId,
         u.email AS userEmail, u.is_owner AS isOwner, n.frozen_at IS NOT NULL AS isFrozen
  FROM users u LEFT JOIN tenants n ON n.id = u.tenant_id WHERE u.id = ? AND u.deactivated_at IS NULL`;

const ROLES_OF_OWNERS = `
  SELECT u.id AS userId, t.id AS teamId, 'TEAM_ADMIN' AS role
  FROM users u JOIN teams t ON t.tenant_id = u.tenant_id
    LEFT JOIN memberships m ON m.team_id = t.id AND m.user_id = u.id
  WHERE u.id IN (?) ORDER BY m.id IS NULL, m.id, t.id`;

const ROLES_OF_MEMBERS = `
  SELECT m.user_id AS userId, t.id AS teamId, m.role
  FROM memberships m JOIN users u ON u.id = m.user_id
    JOIN teams t ON t.id = m.team_id AND t.tenant_id = u.tenant_id
  WHERE m.user_id IN (?) ORDER BY m.id`;

/**
 * The round is small because each owner's key loads all teams of its tenant. Two rounds run at once, so that one hanging
 * connection does not block all callers.
 */
const TOGETHER = { maxRound: 50, roundsAtOnce: 2 };

/**
 * Reads the actor of a key. Each request reads it again, so that changed roles and revoked keys take effect at once.
 * Concurrent requests share one query.
 */
export function createActorStore(db: Pick<Database, 'read'>) {
  const findByDigests = (digests: string[]) =>
    db.read(async (session) => {
      const keys = await session.rows<ActorRow & { digest: string }>(KEYS_BY_DIGEST, [digests]);
      const actors = await toActors(keys, session);
      return new Map(keys.map(({ digest }, index) => [digest, actors[index] as Actor]));
    });

  return {
    /** Returns the actor of a key digest; undefined if the key is revoked or expired or its user is not active. */
    findByDigest: createBatchLoader(findByDigests, TOGETHER),

    /** Returns the digests of valid keys, at most `limit`. */
    listDigests: (limit: number): Promise<string[]> =>
      db.read(async (session) => {
        const rows = await session.rows<{ digest: string }>(WORKING_DIGESTS, [limit]);
        return rows.map(({ digest }) => digest);
      }),

    /**
     * Returns the user as an actor without a key (`keyId` 0), for the command line and for work that goes on after a request;
     * `keyTeamId`: of a key that was used, which narrows what the user sees.
     */
    findByUser: (userId: number, keyTeamId: number | null = null): Promise<Actor | undefined> =>
      db.read(async (session) => {
        const [actor] = await toActors(
          await session.rows<ActorRow>(USER_AS_KEY, [keyTeamId, userId]),
          session,
        );
        return actor;
      }),

    /** Sets the time of the key's last use; all processes together write at most once a minute. */
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

/** Returns the actors of these rows, in their order, with their roles in teams. */
export async function toActors(keys: ActorRow[], session: Session): Promise<Actor[]> {
  const rolesOf = new Map<number, RoleRow[]>(keys.map(({ userId }) => [userId, []]));
  const [owners, members] = [keys.filter(isOwner), keys.filter((key) => !isOwner(key))];
  for (const role of await findRoles(ROLES_OF_OWNERS, owners, session)) rolesOf.get(role.userId)?.push(role);
  for (const role of await findRoles(ROLES_OF_MEMBERS, members, session))
    rolesOf.get(role.userId)?.push(role);
  return keys.map((key) => toActor(key, rolesOf.get(key.userId) ?? []));
}

async function findRoles(sql: string, keys: ActorRow[], session: Session): Promise<RoleRow[]> {
  if (keys.length === 0) return [];
  return session.rows<RoleRow>(sql, [[...new Set(keys.map(({ userId }) => userId))]]);
}

function isOwner(key: ActorRow): boolean {
  return key.isOwner === 1;
}

function toActor(key: ActorRow, rows: RoleRow[]): Actor {
  const seen = key.keyTeamId === null ? rows : rows.filter(({ teamId }) => teamId === key.keyTeamId);
  const roles = seen.map(({ teamId, role }) => [teamId, role] as const);
  return {
    keyId: key.keyId,
    kind: key.kind,
    tenantId: key.tenantId,
    userId: key.userId,
    userEmail: key.userEmail,
    isOwner: isOwner(key),
    ...(key.isFrozen === 1 && { isFrozen: true }),
    roles: new Map(roles),
    keyTeamId: key.keyTeamId ?? undefined,
  };
}
