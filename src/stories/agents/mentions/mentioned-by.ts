import { type Actor, visibleTeamIds } from '../../../api/face.js';
import type { FindMentions, MentionedThing } from '../../../data/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import { type ActionMentions, findMentions, type MentionedKind } from './action-mentions.js';

/** Returns a search for the actions that name things of a kind. */
export function createMentionedBy(kind: MentionedKind, database: Pick<Database, 'read'>): FindMentions {
  return (actor, things) => findMentionsOf(kind, { actor, things, database });
}

interface Asked {
  actor: Actor;
  things: readonly MentionedThing[];
  database: Pick<Database, 'read'>;
}

async function findMentionsOf(
  kind: MentionedKind,
  { actor, things, database }: Asked,
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
