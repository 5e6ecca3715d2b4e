import type { Knex } from 'knex';
import { type Actor, requireOwner, requireTeam, type Role } from '../../api/face.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { Forbidden, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import type { ApiKeyService, MadeKey } from './api-key-service.js';
import { findKeyInUse, revokeKeys } from './key-revocation-store.js';
import type { ApiKey } from '../tenants/tenancy.js';

/** A request for a key. `teamId` and `role` are only for team keys. */
export interface KeyRequest {
  kind: Actor['kind'];
  name: string;
  teamId?: number | undefined;
  role?: Role | undefined;
  expiresAt?: Date | undefined;
}

export type ActorKeyService = ReturnType<typeof createActorKeyService>;

/**
 * Creates the service of API keys that checks rights: only its user manages a personal key, Owners manage keys of the
 * tenant and of teams (spec §2.3).
 */
export function createActorKeyService({ keys }: { keys: ApiKeyService }) {
  const getKey = async (actor: Actor, id: number): Promise<ApiKey> => {
    const key = await keys.getKey(actor.tenantId, id);
    if (!maySee(actor, key)) throw new NotFound('API key');
    return key;
  };

  return {
    list: (actor: Actor, window: Window): Promise<Page<ApiKey>> =>
      keys.pageOfKeys({ tenantId: actor.tenantId, userId: actor.userId, shared: actor.isOwner }, window),

    get: getKey,

    /**
     * Returns the problems in the valid parts of a request. `within` is the prefix of its fields in the body (`key.`).
     * @throws NotFound and Forbidden as `create`.
     */
    check(actor: Actor, request: Usable<KeyRequest>, within = ''): Problem[] {
      requireMaker(actor, request);
      return keyProblems(request, within);
    },

    /** Creates a key; this is the only time that `key` is shown. `together` runs in the same transaction. */
    async create(
      actor: Actor,
      request: KeyRequest,
      together?: (made: MadeKey, trx: Knex) => Promise<void>,
    ): Promise<{ key: string; record: ApiKey }> {
      requireMaker(actor, request);
      const problems = keyProblems(request, '');
      if (problems.length > 0) throw new Unprocessable(problems);
      const { kind, name, teamId, role, expiresAt } = request;
      const input = {
        kind,
        name,
        tenantId: actor.tenantId,
        createdByUserId: actor.userId,
        ...(kind === 'personal' && { userId: actor.userId }),
        ...(teamId !== undefined && { teamId }),
        ...(role !== undefined && { role }),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      return keys.createKey(input, together);
    },

    /** Revokes the key at once, for every process. Revoking it again changes nothing. */
    async revoke(actor: Actor, id: number): Promise<void> {
      await getKey(actor, id);
      await keys.revokeKey({ tenantId: actor.tenantId, keyId: id });
    },

    /**
     * Like `revoke`, in the caller's transaction, for a key whose id the actor may know. Does nothing for an invalid
     * key that the actor may not revoke. @throws Forbidden for a valid key that only others may revoke.
     */
    async revokeWithin(actor: Actor, id: number, session: Session): Promise<void> {
      const key = await findKeyInUse(actor.tenantId, id, session);
      if (key === undefined) return;
      if (maySee(actor, key)) await revokeKeys([id], session);
      else if (key.works) throw new Forbidden(OTHERS_KEY[key.kind]);
    },
  };
}

const OTHERS_KEY: Record<ApiKey['kind'], string> = {
  personal: 'Only its user can revoke the personal API key it contains',
  tenant: 'Only Owners can revoke the tenant API key it contains',
  team: 'Only Owners can revoke the team API key it contains',
};

function maySee(actor: Actor, key: Pick<ApiKey, 'kind' | 'userId'>): boolean {
  return key.kind === 'personal' ? key.userId === actor.userId : actor.isOwner;
}

/** @throws Forbidden for a key that the actor may not create; NotFound for its team. */
function requireMaker(actor: Actor, { kind, teamId }: Usable<KeyRequest>): void {
  if (kind === 'personal' && actor.kind !== 'personal') {
    throw new Forbidden('Personal keys can only be created by their user, not by a service account');
  }
  if (kind === undefined || kind === 'personal') return;
  if (teamId !== undefined) requireTeam(actor, teamId, 'read');
  requireOwner(actor);
}

function keyProblems(request: Usable<KeyRequest>, within: string): Problem[] {
  const { expiresAt } = request;
  if (expiresAt === undefined || expiresAt.getTime() > Date.now()) return scopeProblems(request, within);
  const details = `${within}expires_at`;
  return [...scopeProblems(request, within), { message: `"${details}" must be in the future`, details }];
}

/** Returns the problems of team and role: required for team keys, forbidden for others. None if the kind is invalid. */
function scopeProblems({ kind, teamId, role }: Usable<KeyRequest>, within: string): Problem[] {
  if (kind === undefined) return [];
  const scope = { team_id: teamId, role };
  return Object.entries(scope).flatMap(([name, value]) => {
    const details = `${within}${name}`;
    if (kind === 'team') return value === undefined ? [{ message: `"${details}" is required`, details }] : [];
    return value === undefined ? [] : [{ message: `"${details}" is for team keys only`, details }];
  });
}
