import type { Knex } from 'knex';
import { requireOwner, requireTeam } from '../auth/access.js';
import type { Actor, Role } from '../auth/actor.js';
import type { Page, Window } from '../db/page-query.js';
import { Forbidden, NotFound, type Problem, Unprocessable } from '../errors.js';
import type { ApiKeyService, MadeKey } from './api-key-service.js';
import type { ApiKey } from './tenancy.js';

/** A key that somebody asks for. `teamId` and `role` are for team keys alone. */
export interface KeyRequest {
  kind: Actor['kind'];
  name: string;
  teamId?: number | undefined;
  role?: Role | undefined;
  expiresAt?: Date | undefined;
}

export type ActorKeyService = ReturnType<typeof createActorKeyService>;

/**
 * API keys, for who may have them: a personal key is its user's business alone, keys of the tenant and of
 * teams are the Owners' (decisions §2).
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

    /** `key` is shown this once. What `together` does is done with it, or neither is. */
    async create(
      actor: Actor,
      request: KeyRequest,
      together?: (made: MadeKey, trx: Knex) => Promise<void>,
    ): Promise<{ key: string; record: ApiKey }> {
      checkRequest(actor, request);
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

    /** Ends the key at once, on every process. Revoking it again changes nothing. */
    async revoke(actor: Actor, id: number): Promise<void> {
      await getKey(actor, id);
      await keys.revokeKey({ tenantId: actor.tenantId, keyId: id });
    },
  };
}

function maySee(actor: Actor, key: ApiKey): boolean {
  return key.kind === 'personal' ? key.userId === actor.userId : actor.isOwner;
}

/** @throws Forbidden for a key that is not the actor's to make; Unprocessable for one that is half described. */
function checkRequest(actor: Actor, request: KeyRequest): void {
  const { kind, teamId } = request;
  if (kind === 'personal' && actor.kind !== 'personal') {
    throw new Forbidden('A personal key is made by its user, not by a service account');
  }
  if (kind !== 'personal' && teamId !== undefined) requireTeam(actor, teamId, 'read');
  if (kind !== 'personal') requireOwner(actor);
  const problems = scopeProblems(request);
  if (request.expiresAt !== undefined && request.expiresAt.getTime() <= Date.now()) {
    problems.push({ message: '"expires_at" must lie in the future', details: 'expires_at' });
  }
  if (problems.length > 0) throw new Unprocessable(problems);
}

/** A team key needs its team and its role; the others have neither. */
function scopeProblems({ kind, teamId, role }: KeyRequest): Problem[] {
  const scope = { team_id: teamId, role };
  return Object.entries(scope).flatMap(([details, value]) => {
    if (kind === 'team') return value === undefined ? [{ message: `"${details}" is required`, details }] : [];
    return value === undefined ? [] : [{ message: `"${details}" is for team keys only`, details }];
  });
}
