import { Forbidden, NotFound } from '../../platform/errors.js';
import { can, canRead, type RequiredRight } from './access.js';
import type { Actor } from './actor.js';

/** Which teams may use a thing of a team: its own, all of the tenant, or some (spec §3.8). */
export const READ_ACCESS = ['TEAM', 'GLOBAL', 'SPECIFIC_TEAMS'] as const;
export type ReadAccess = (typeof READ_ACCESS)[number];

/** A thing of a team that other teams may use. */
export interface Shared {
  teamId: number;
  tenantId: number;
  readAccess: ReadAccess;
  /** The teams besides its own, with `SPECIFIC_TEAMS`. */
  sharedTeamIds: readonly number[];
}

/** Returns true if the actor is in a team that may use the thing. */
function canUse(actor: Actor, thing: Shared): boolean {
  if (canRead(actor, thing.teamId)) return true;
  if (thing.tenantId !== actor.tenantId) return false;
  if (thing.readAccess === 'GLOBAL') return actor.roles.size > 0;
  return thing.readAccess === 'SPECIFIC_TEAMS' && thing.sharedTeamIds.some((id) => canRead(actor, id));
}

/**
 * Checks a right: whoever may use the thing may read it; only the rights in its own team change it.
 * @throws NotFound if the actor cannot see it; Forbidden if it cannot change it.
 */
export function requireShared(actor: Actor, thing: Shared, need: RequiredRight, what: string): void {
  if (!canUse(actor, thing)) throw new NotFound(what);
  if (need !== 'read' && !can(actor, thing.teamId, need)) throw new Forbidden();
}
