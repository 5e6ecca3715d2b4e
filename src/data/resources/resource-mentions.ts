import type { Actor } from '../../api/face.js';
import { Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { FindMentions } from '../find-mentions.js';
import { listResourceNames, type ResourceFilter } from './resource-store.js';

const MOST_RESOURCES = 10_000;

/** Returns the ids of the resources that an action of a team that the actor may see names. */
export async function usedResourceIds(
  actor: Actor,
  filter: ResourceFilter,
  { database, findMentions }: { database: Pick<Database, 'read'>; findMentions: FindMentions },
): Promise<number[]> {
  const all = await database.read((session) => listResourceNames(actor, filter, MOST_RESOURCES + 1, session));
  if (all.length > MOST_RESOURCES) {
    throw new Unprocessable(
      `More than ${MOST_RESOURCES} resources would have to be searched: specify a team`,
    );
  }
  const mentioned = await findMentions(actor, all);
  return all.filter((resource) => mentioned(resource).length > 0).map(({ id }) => id);
}
