import { visibleTeamIds } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import type { ReadAccess } from '../../access/auth/shared-access.js';
import type { Database } from '../../platform/mysql/database.js';
import { type ActionMentions, findMentions, type MentionedKind } from './action-mentions.js';

/** A resource or a credential, as far as templates of actions find it. */
export interface MentionedThing {
  teamId: number;
  slug: string;
  readAccess: ReadAccess;
}

/** Returns a function that gives the ids of the actions that name a thing; only those that the actor may see. */
export async function findMentionsOf(
  kind: MentionedKind,
  actor: Actor,
  things: readonly MentionedThing[],
  database: Pick<Database, 'read'>,
): Promise<(thing: MentionedThing) => number[]> {
  const visible = visibleTeamIds(actor);
  const own = new Set(things.map(({ teamId }) => teamId));
  const isShared = things.some(({ readAccess }) => readAccess !== 'TEAM');
  const teamIds = isShared ? visible : visible.filter((id) => own.has(id));
  const mentions = await findMentions(kind, teamIds, database);
  return (thing) => mentioning(thing, mentions);
}

function mentioning({ teamId, slug, readAccess }: MentionedThing, mentions: ActionMentions): number[] {
  const teams = readAccess === 'TEAM' ? [mentions.get(teamId)] : [...mentions.values()];
  const ids = new Set(teams.flatMap((ofTeam) => [...(ofTeam?.get(slug) ?? [])]));
  return [...ids].toSorted((a, b) => a - b);
}
