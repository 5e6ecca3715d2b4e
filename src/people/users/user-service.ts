import { type Actor, requireOwner, visibleTeamIds } from '../../api/face.js';
import { deleteLoginLinks } from '../sign-in/login-link-store.js';
import { deleteSessionsOf } from '../sign-in/session-store.js';
import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import {
  countOwners,
  findAddressOwner,
  findUser,
  insertUser,
  listTeamMemberships,
  listUsers,
  lockTenant,
  type TeamMembership,
  updateUser,
  type UserColumns,
  type UserFilter,
  type UserRecord,
} from './user-store.js';

/** Fields of an update; `active: false` deactivates the account, `true` activates it again. */
export type UserChange = Partial<UserColumns> & { active?: boolean };

export type UserService = ReturnType<typeof createUserService>;

/** Creates the service of users: members of a shared team can read them, Owners manage them (spec §2.6). */
export function createUserService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  return {
    list: (
      actor: Actor,
      filter: Pick<UserFilter, 'search' | 'ownersOnly'>,
      window: Window,
    ): Promise<Page<UserRecord>> =>
      database.read((session) => listUsers({ ...visibleTo(actor), ...filter }, window, session)),

    /** Returns the roles of these users in the teams that the actor may see. */
    memberships: (actor: Actor, userIds: readonly number[]): Promise<TeamMembership[]> =>
      database.read((session) => listTeamMemberships(userIds, visibleTeamIds(actor), session)),

    get: (actor: Actor, id: number): Promise<UserRecord> =>
      database.read((session) => getUser(actor, id, session)),

    /** @throws Conflict if the tenant has a user with this e-mail address. */
    async create(actor: Actor, { active, ...user }: UserColumns & { active?: boolean }): Promise<UserRecord> {
      requireOwner(actor);
      return database.transaction(async (session) => {
        const id = await insertUser(actor.tenantId, user, session).catch((error: unknown) =>
          emailTaken(error, { tenantId: actor.tenantId, email: user.email }, session),
        );
        if (active === false) await updateUser(id, { active }, session);
        return getUser(actor, id, session);
      });
    },

    /** @throws NotFound and Forbidden as `update`. */
    async checkUpdate(actor: Actor, id: number): Promise<void> {
      await database.read((session) => getUser(actor, id, session));
      requireOwner(actor);
    },

    /** Ends all sessions of a user, and its links to begin one. @throws NotFound and Forbidden as `update`. */
    async endSignIns(actor: Actor, id: number): Promise<UserRecord> {
      return database.transaction(async (session) => {
        const user = await getUser(actor, id, session);
        requireOwner(actor);
        await endSignInsOf(id, session);
        return user;
      });
    },

    /** @throws Conflict if the tenant would have no Owner left. */
    async update(actor: Actor, id: number, change: UserChange): Promise<UserRecord> {
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          await lockTenant(actor.tenantId, session);
          const before = await getUser(actor, id, session);
          requireOwner(actor);
          if (before.isServiceAccount) {
            throw new Conflict('This is the service account of an API key: revoke the key instead');
          }
          await updateUser(id, change, session).catch((error: unknown) =>
            emailTaken(error, { tenantId: actor.tenantId, email: change.email ?? '' }, session),
          );
          if (change.active === false) await endSignInsOf(id, session);
          const after = await getUser(actor, id, session);
          if (isActiveOwner(before) && !isActiveOwner(after)) await requireAnOwner(actor, session);
          return after;
        }),
      );
    },
  };
}

/** Owners see all users; others see themselves and members of their teams. */
function visibleTo(actor: Actor): UserFilter {
  const { tenantId, userId, isOwner } = actor;
  return { tenantId, seenBy: isOwner ? undefined : { teamIds: visibleTeamIds(actor), userId } };
}

async function getUser(actor: Actor, id: number, session: Session): Promise<UserRecord> {
  const user = await findUser(id, visibleTo(actor), session);
  if (user === undefined) throw new NotFound('User');
  return user;
}

function isActiveOwner({ isOwner, deactivatedAt }: UserRecord): boolean {
  return isOwner && deactivatedAt === null;
}

async function requireAnOwner(actor: Actor, session: Session): Promise<void> {
  if ((await countOwners(actor.tenantId, session)) > 0) return;
  throw new Conflict('This is the last Owner of the tenant; make another user an Owner first');
}

/** @throws Conflict that says how an inactive user with the address becomes active again. */
async function emailTaken(
  error: unknown,
  address: { tenantId: number; email: string },
  session: Session,
): Promise<never> {
  if (!isDuplicateKey(error)) throw error;
  const owner = await findAddressOwner(address, session);
  const isInactive = owner !== undefined && !owner.isActive && !owner.isServiceAccount;
  const advice = isInactive ? `, inactive: PUT /api/v1/admin/users/${owner.id} {"is_active": true}` : '';
  const message = `The tenant already has a user with this address${advice}`;
  throw new Conflict([{ message, details: 'email' }]);
}

/** Ends all sessions and links of a user who may not sign in any more, within the caller's transaction. */
async function endSignInsOf(userId: number, session: Session): Promise<void> {
  await deleteSessionsOf(userId, session);
  await deleteLoginLinks(userId, session);
}
