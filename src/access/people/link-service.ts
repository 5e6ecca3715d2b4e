import type { Database } from '../../platform/mysql/database.js';
import { findPerson, type Candidate } from './person-store.js';
import { insertLink, type LinkPurpose, takeLink } from './login-link-store.js';
import { newToken, tokenDigest } from './secret-token.js';
import { retryLockConflicts } from '../../platform/mysql/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';

/** Minutes for which a link works. */
export const LINK_MINUTES: Readonly<Record<LinkPurpose, number>> = { sign_in: 10, password: 60 };

/** Returns the address that signs in with a token; `home` is the address of the console. */
export function signInAddress(home: string, token: string): string {
  return `${home}?link=${token}`;
}

/** Returns the address at which a password is set with a token; `home` is the address of the console. */
export function resetAddress(home: string, token: string): string {
  return `${home}?reset=${token}`;
}

export type LinkService = ReturnType<typeof createLinkService>;

/** Creates the service of links that work once, for one user, over all processes (spec §2.10). */
export function createLinkService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  return {
    /** Returns the token of a new link; only its digest is stored. */
    async make(
      userId: number,
      purpose: LinkPurpose,
      minutes: number = LINK_MINUTES[purpose],
    ): Promise<string> {
      const token = newToken();
      const digest = tokenDigest(token) as string;
      await database.read((session) => insertLink({ digest, userId, purpose, minutes }, session));
      return token;
    },

    /** Uses up a link and does `work` with its user, in one transaction. Returns undefined if it does not work. */
    async use<T>(
      token: string,
      purpose: LinkPurpose,
      work: (person: Candidate, session: Session) => Promise<T>,
    ): Promise<T | undefined> {
      const digest = tokenDigest(token);
      if (digest === undefined) return undefined;
      // On a cluster the slower of two nodes fails at its COMMIT, and then finds the link used.
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          const userId = await takeLink(digest, purpose, session);
          const person = userId === undefined ? undefined : await findPerson(userId, session);
          return person && work(person, session);
        }),
      );
    },
  };
}
