import type { Database } from '../../platform/mysql/database.js';
import { findActivePerson, type SignInCandidate } from '../users/person-store.js';
import { countLoginLinks, findLinkUser, insertLink, type LinkPurpose, takeLink } from './login-link-store.js';
import { MAX_LINK_MAILS_AN_HOUR } from '../users/people-mail.js';
import { newToken, tokenDigest } from '../passwords/secret-token.js';
import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
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

    /**
     * Returns the token of a new link to set a password, which is to be mailed; undefined if the user was sent the most
     * within the hour. Requests at the same time count each other: the user is locked.
     */
    async makeForMail(userId: number, minutes: number = LINK_MINUTES.password): Promise<string | undefined> {
      const token = newToken();
      const link = { digest: tokenDigest(token) as string, userId, purpose: 'password', minutes } as const;
      const isMade = await retryLockConflicts(() =>
        database.transaction(async (session) => {
          await claimRow(session, 'users', userId);
          if ((await countLoginLinks({ ...link, minutes: 60 }, session)) >= MAX_LINK_MAILS_AN_HOUR)
            return false;
          await insertLink(link, session);
          return true;
        }),
      );
      return isMade ? token : undefined;
    },

    /** Returns whose link it is, without using it up; undefined if it does not work. */
    async look(token: string, purpose: LinkPurpose): Promise<SignInCandidate | undefined> {
      const digest = tokenDigest(token);
      if (digest === undefined) return undefined;
      return database.read(async (session) => {
        const userId = await findLinkUser(digest, purpose, session);
        return userId === undefined ? undefined : findActivePerson(userId, session);
      });
    },

    /** Uses up a link and does `work` with its user, in one transaction. Returns undefined if it does not work. */
    async use<T>(
      token: string,
      purpose: LinkPurpose,
      work: (person: SignInCandidate, session: Session) => Promise<T>,
    ): Promise<T | undefined> {
      const digest = tokenDigest(token);
      if (digest === undefined) return undefined;
      // On a cluster the slower of two nodes fails at its COMMIT, and then finds the link used.
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          const userId = await takeLink(digest, purpose, session);
          const person = userId === undefined ? undefined : await findActivePerson(userId, session);
          return person && work(person, session);
        }),
      );
    },
  };
}
