import { visibleTeamIds } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import { Unprocessable } from '../platform/errors.js';
import type { Database } from '../platform/mysql/database.js';
import { type ActionMentions, findMentions } from '../stories/agents/action-mentions.js';
import { listResourceNames, type ResourceFilter, type ResourceRecord } from './resource-store.js';

type Named = Pick<ResourceRecord, 'teamId' | 'slug' | 'readAccess'>;

const MOST_RESOURCES = 10_000;

/** Returns a function that gives the ids of the actions that name a resource; only those that the actor may see. */
export async function resourceMentions(
  actor: Actor,
  resources: readonly Named[],
  database: Pick<Database, 'read'>,
): Promise<(resource: Named) => number[]> {
  const visible = visibleTeamIds(actor);
  const own = new Set(resources.map(({ teamId }) => teamId));
  const isShared = resources.some(({ readAccess }) => readAccess !== 'TEAM');
  const teamIds = isShared ? visible : visible.filter((id) => own.has(id));
  const mentions = await findMentions('RESOURCE', teamIds, database);
  return (resource) => mentioning(resource, mentions);
}

function mentioning({ teamId, slug, readAccess }: Named, mentions: ActionMentions): number[] {
  const teams = readAccess === 'TEAM' ? [mentions.get(teamId)] : [...mentions.values()];
  return teams.flatMap((ofTeam) => [...(ofTeam?.get(slug) ?? [])]).toSorted((a, b) => a - b);
}

/** Returns the ids of the resources that an action of a team that the actor may see names. */
export async function usedResourceIds(
  actor: Actor,
  filter: ResourceFilter,
  database: Pick<Database, 'read'>,
): Promise<number[]> {
  const all = await database.read((session) => listResourceNames(actor, filter, MOST_RESOURCES + 1, session));
  if (all.length > MOST_RESOURCES) {
    throw new Unprocessable(`More than ${MOST_RESOURCES} resources would have to be searched: name a team`);
  }
  const mentioned = await resourceMentions(actor, all, database);
  return all.filter((resource) => mentioned(resource).length > 0).map(({ id }) => id);
}
