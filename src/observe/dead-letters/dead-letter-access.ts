import { type Actor, can, canRead, canWrite, requireTeam } from '../../api/face.js';
import type { Session } from '../../platform/mysql/session.js';
import { Forbidden, NotFound } from '../../platform/errors.js';
import { findAgentPlace, findRunPlace } from '../runs/run-place-store.js';
import { visibleStory } from '../../stories/face.js';
import type { DeadLetterQuery, DeadLetterSearch } from './dead-letter.js';
import { countErrors } from './groups/dead-letter-group-store.js';
import { textsOfKind } from './groups/dead-letter-grouping.js';
import { findDeadLetter, type FoundDeadLetter } from './dead-letter-list-store.js';

type Need = 'read' | 'write';

/** Returns the dead letter if the actor may do this with it. @throws NotFound, or Forbidden if the role is too weak. */
export async function visibleDeadLetter(
  session: Session,
  actor: Actor,
  { id, need }: { id: number; need: Need },
): Promise<FoundDeadLetter> {
  const letter = await findDeadLetter(session, { id, tenantId: actor.tenantId });
  if (letter === undefined) throw new NotFound('Dead letter');
  requireTeam(actor, letter.teamId, need, 'Dead letter');
  return letter;
}

/**
 * Limits the query to the data that the actor may access; undefined: nothing can match. A query without a scope covers
 * all teams in which the actor may do this.
 * @throws NotFound for a team, a story or an action that the actor may not see; Forbidden if the role is too weak.
 */
export async function searchFor(
  session: Session,
  actor: Actor,
  { query, need }: { query: DeadLetterQuery; need: Need },
): Promise<DeadLetterSearch | undefined> {
  const { teamId, agentIds: _, errorKind, ...rest } = query;
  const agentIds = [...new Set(query.agentIds)];
  if (teamId !== undefined) requireTeam(actor, teamId, need);
  if (query.storyId !== undefined) await visibleStory(actor, query.storyId, need, session);
  const mayBeGone = query.storyId !== undefined;
  for (const id of agentIds) await requireAgent(session, actor, { id, need, mayBeGone });
  const isThere = query.storyRunGuid === undefined || (await hasRun(session, actor, { query, need }));
  const teamIds = teamId === undefined ? teamsOf(actor, need) : [teamId];
  if (!isThere || teamIds.length === 0 || agentIds.length > 1) return undefined;
  const openTeamIds = teamIds.filter((id) => canWrite(actor, id));
  const search = { ...rest, tenantId: actor.tenantId, teamIds, openTeamIds, agentId: agentIds[0] };
  return errorKind === undefined ? search : ofKind(session, actor, { search, errorKind });
}

/** Limits a search to errors of one kind, which only this process can tell: to their texts. */
async function ofKind(
  session: Session,
  actor: Actor,
  { search, errorKind }: { search: DeadLetterSearch; errorKind: string },
): Promise<DeadLetterSearch> {
  const { counts } = await countErrors(session, search);
  return { ...search, errorTexts: await textsOfKind(actor, counts, errorKind) };
}

/** @throws Forbidden for an actor who may read some teams but write none. */
function teamsOf(actor: Actor, need: Need): number[] {
  const visible = [...actor.roles.keys()];
  const teamIds = visible.filter((id) => can(actor, id, need));
  if (visible.length > 0 && teamIds.length === 0) throw new Forbidden();
  return teamIds;
}

/** `mayBeGone`: a story limits the query too, so an action that is no more reveals nothing, and its letters are found. */
async function requireAgent(
  session: Session,
  actor: Actor,
  { id, need, mayBeGone }: { id: number; need: Need; mayBeGone: boolean },
): Promise<void> {
  const place = await findAgentPlace(session, { id, tenantId: actor.tenantId });
  if (place === undefined && mayBeGone) return;
  if (place === undefined) throw new NotFound('Action');
  requireTeam(actor, place.teamId, need, 'Action');
}

async function hasRun(
  session: Session,
  actor: Actor,
  { query, need }: { query: DeadLetterQuery; need: Need },
): Promise<boolean> {
  const place = await findRunPlace(session, {
    guid: query.storyRunGuid ?? '',
    tenantId: actor.tenantId,
  });
  if (place === undefined || !canRead(actor, place.teamId)) return false;
  requireTeam(actor, place.teamId, need, 'Story run');
  return true;
}
