import { Forbidden, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import { isFaulty } from '../../platform/validation/partial-input.js';
import type { Actor, Role } from './actor.js';

/** The right that an operation on an object of a team needs. */
export type RequiredRight = 'read' | 'write' | 'manage';

/** The rights of each role in a team (spec §2.2). `manage` covers the team's members and credentials. */
const ALLOWED: Record<Role, ReadonlySet<RequiredRight>> = {
  VIEWER: new Set(['read']),
  EDITOR: new Set(['read', 'write']),
  TEAM_ADMIN: new Set(['read', 'write', 'manage']),
};

/** Returns the rights of a role in its team, the weakest first. */
export function rightsOf(role: Role): RequiredRight[] {
  return [...ALLOWED[role]];
}

/** Returns true if the actor has this right in the team. Always false for a team of another tenant. */
export function can(actor: Actor, teamId: number, need: RequiredRight): boolean {
  const role = actor.roles.get(teamId);
  return role !== undefined && ALLOWED[role].has(need);
}

/** Returns true if the actor may see the team and its objects. */
export function canRead(actor: Actor, teamId: number): boolean {
  return can(actor, teamId, 'read');
}

/** Returns true if the actor may change stories, records and cases of the team. */
export function canWrite(actor: Actor, teamId: number): boolean {
  return can(actor, teamId, 'write');
}

/** Returns true if the actor may change the team's members and credentials. */
export function canManage(actor: Actor, teamId: number): boolean {
  return can(actor, teamId, 'manage');
}

/**
 * Checks a right in a team. `what` is the type of the object in the message (`Story`).
 * @throws NotFound if the actor cannot see the team (ids cannot be probed); Forbidden if its role lacks the right.
 */
export function requireTeam(actor: Actor, teamId: number, need: RequiredRight, what = 'Team'): void {
  if (!canRead(actor, teamId)) throw new NotFound(what);
  if (!can(actor, teamId, need)) throw new Forbidden();
}

/**
 * Checks that the actor has all rights in the tenant: an Owner or a tenant key.
 * @throws Forbidden for any other actor.
 */
export function requireOwner(actor: Actor): void {
  if (!actor.isOwner) throw new Forbidden('Only an Owner of the tenant can do this');
}

/** Returns the ids of all teams the actor can read, for lists. Empty for an actor without a team. */
export function visibleTeamIds(actor: Actor): number[] {
  return [...actor.roles.keys()];
}

/**
 * Returns the team of a new object if the request names none: the key's team, else the user's first team (spec §3.3).
 * Undefined for an actor without a team.
 */
export function defaultTeamId(actor: Actor): number | undefined {
  if (actor.keyTeamId !== undefined) return actor.keyTeamId;
  const [first] = actor.roles.keys();
  return first;
}

const NO_TEAM: Problem = {
  message: 'team_id is required, because you are not in a team',
  details: 'team_id',
};

/**
 * Returns the team of a new object: the named one, else the actor's default team (spec §3.3).
 * @throws Unprocessable if there is none; NotFound and Forbidden as `requireTeam`.
 */
export function homeTeamId(actor: Actor, named: number | undefined, need: RequiredRight): number {
  const teamId = named ?? defaultTeamId(actor);
  if (teamId === undefined) throw new Unprocessable([NO_TEAM]);
  requireTeam(actor, teamId, need);
  return teamId;
}

/**
 * Returns the problems of the team that `homeTeamId` would choose; none if `team_id` itself is invalid.
 * @throws NotFound and Forbidden as `requireTeam`.
 */
export function homeTeamProblems(
  actor: Actor,
  body: { team_id?: number | undefined },
  need: RequiredRight,
): Problem[] {
  return isFaulty(body, 'team_id') ? [] : teamProblems(actor, body.team_id ?? defaultTeamId(actor), need);
}

/** Returns the problems of a new object's team. @throws NotFound and Forbidden as `requireTeam`. */
export function teamProblems(actor: Actor, teamId: number | undefined, need: RequiredRight): Problem[] {
  if (teamId === undefined) return [NO_TEAM];
  requireTeam(actor, teamId, need);
  return [];
}
