import type { Actor } from '../../api/face.js';
import { Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { FindMentions } from '../find-mentions.js';
import { type CredentialFilter, listCredentialNames } from './credential-record-store.js';

const MOST_CREDENTIALS = 10_000;

/** Returns the ids of the credentials that an action of a team that the actor may see names. */
export async function usedCredentialIds(
  actor: Actor,
  filter: CredentialFilter,
  { database, findMentions }: { database: Pick<Database, 'read'>; findMentions: FindMentions },
): Promise<number[]> {
  const all = await database.read((session) =>
    listCredentialNames(actor, filter, MOST_CREDENTIALS + 1, session),
  );
  if (all.length > MOST_CREDENTIALS) {
    throw new Unprocessable(
      `More than ${MOST_CREDENTIALS} credentials would have to be searched: specify a team`,
    );
  }
  const mentioned = await findMentions(actor, all);
  return all.filter((credential) => mentioned(credential).length > 0).map(({ id }) => id);
}
