import { visibleTeamIds } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import { Unprocessable } from '../platform/errors.js';
import type { Database } from '../platform/mysql/database.js';
import { findMentions } from '../stories/agents/action-mentions.js';
import { type CredentialFilter, listCredentialNames } from './credential-record-store.js';

const MOST_CREDENTIALS = 10_000;

/** Returns the ids of the credentials that an action of a team that the actor may see names. */
export async function usedCredentialIds(
  actor: Actor,
  filter: CredentialFilter,
  database: Pick<Database, 'read'>,
): Promise<number[]> {
  const all = await database.read((session) =>
    listCredentialNames(actor, filter, MOST_CREDENTIALS + 1, session),
  );
  if (all.length > MOST_CREDENTIALS) {
    throw new Unprocessable(
      `More than ${MOST_CREDENTIALS} credentials would have to be searched: name a team`,
    );
  }
  const mentions = await findMentions('CREDENTIAL', visibleTeamIds(actor), database);
  return all
    .filter(({ teamId, slug, readAccess }) =>
      readAccess === 'TEAM'
        ? mentions.get(teamId)?.has(slug) === true
        : [...mentions.values()].some((ofTeam) => ofTeam.has(slug)),
    )
    .map(({ id }) => id);
}
