import { Forbidden, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import { isFaulty } from '../../platform/validation/partial-input.js';
import type { Actor, Role } from './actor.js';

/** What somebody wants to do with a thing of a team's. */
export type Need = 'read' | 'write' | 'manage';

/** Who may do what in a team (spec §2.2). `manage` is the team's members and credentials. */
const ALLOWED: Record<Role, ReadonlySet<Need>> = {
  VIEWER: new Set(['read']),
  EDITOR: new Set(['read', 'write']),
  TEAM_ADMIN: new Set(['read', 'write', 'manage']),
};

/** Whether the actor may do this in the team. False for a team of another tenant, whoever asks. */
export function can(actor: Actor, teamId: number, need: Need): boolean {
  const role = actor.roles.get(teamId);
  return role !== undefined && ALLOWED[role].has(need);
}

/** Whether the actor may know that the team and what is in it exist. */
export function canRead(actor: Actor, teamId: number): boolean {
  return can(actor, teamId, 'read');
}

/** Whether the actor may change stories, records and cases of the team. */
export function canWrite(actor: Actor, teamId: number): boolean {
  return can(actor, teamId, 'write');
}

/** Whether the actor may change the team's members and credentials. */
export function canManage(actor: Actor, teamId: number): boolean {
  return can(actor, teamId, 'manage');
}

/**
 * Lets pass who may do this in the team. `what` names the thing asked for in the message (`Story`).
 * @throws NotFound when the actor cannot see the team (ids cannot be probed); Forbidden when its role is too weak.
 */
export function requireTeam(actor: Actor, teamId: number, need: Need, what = 'Team'): void {
  if (!canRead(actor, teamId)) throw new NotFound(what);
  if (!can(actor, teamId, need)) throw new Forbidden();
}

/**
 * Lets pass who may do anything in the tenant: its Owners and tenant keys.
 * @throws Forbidden for everybody else.
 */
export function requireOwner(actor: Actor): void {
  if (!actor.isOwner) throw new Forbidden('Only an Owner of the tenant may do this');
}

/** Ids of every team the actor can read, for lists. Empty for somebody without a team. */
export function visibleTeamIds(actor: Actor): number[] {
  return [...actor.roles.keys()];
}

/**
 * The team of something made without saying where: the key's team, else the user's first one (spec §3.3).
 * Undefined for an actor without a team.
 */
export function defaultTeamId(actor: Actor): number | undefined {
  if (actor.keyTeamId !== undefined) return actor.keyTeamId;
  const [first] = actor.roles.keys();
  return first;
}

const NO_TEAM: Problem = { message: 'team_id is required: you are in no team', details: 'team_id' };

/**
 * The team that something new goes to: the one named, else the actor's own (spec §3.3).
 * @throws Unprocessable when there is none; NotFound and Forbidden as `requireTeam`.
 */
export function homeTeamId(actor: Actor, named: number | undefined, need: Need): number {
  const teamId = named ?? defaultTeamId(actor);
  if (teamId === undefined) throw new Unprocessable([NO_TEAM]);
  requireTeam(actor, teamId, need);
  return teamId;
}

/**
 * What is wrong with the team of a body, as `homeTeamId` finds it; nothing where `team_id` itself cannot be used.
 * @throws NotFound and Forbidden as `requireTeam`.
 */
export function homeTeamProblems(
  actor: Actor,
  body: { team_id?: number | undefined },
  need: Need,
): Problem[] {
  return isFaulty(body, 'team_id') ? [] : teamProblems(actor, body.team_id ?? defaultTeamId(actor), need);
}

/** What is wrong with the team that something new goes to. @throws NotFound and Forbidden as `requireTeam`. */
export function teamProblems(actor: Actor, teamId: number | undefined, need: Need): Problem[] {
  if (teamId === undefined) return [NO_TEAM];
  requireTeam(actor, teamId, need);
  return [];
}
