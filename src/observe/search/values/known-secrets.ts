import type { CredentialService } from '../../../data/face.js';
import { createRedactor, keep } from '../../../engine/face.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import { holdsReference } from '../../../platform/secrets/secret-reference.js';

/** Returns whether a text is, or holds, a secret. */
export type IsSecret = (text: string) => boolean;

/**
 * Returns the function that knows the text credentials of a team, in the forms that redaction finds. They are loaded
 * encrypted, for a few seconds at most, and are in clear while a page is indexed.
 */
export function createKnownSecrets(
  credentials: Pick<CredentialService, 'listSecrets'>,
  logger: Logger,
): (teamId: number) => Promise<IsSecret> {
  const sealed = keep(async (teamId) => {
    const secrets = await credentials.listSecrets(teamId);
    return new Map(secrets.map((secret, index) => [String(index), secret]));
  });
  return async (teamId) => {
    const redactor = createRedactor();
    for (const secret of (await sealed.of(teamId)).values()) {
      if (secret.mode !== 'TEXT') continue;
      try {
        redactor.add(secret.name, secret.open());
      } catch (error) {
        // A credential that nobody can decrypt was not sent either.
        logger.debug('could not read a credential for the search index', {
          team_id: teamId,
          error: messageOf(error),
        });
      }
    }
    return (text) => holdsReference(text) || redactor.value(text) !== text;
  };
}
