import Joi from 'joi';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Actor } from '../auth/actor.js';
import type { LinkService } from './link-service.js';
import { deleteLinksOf } from './login-link-store.js';
import type { PasswordHasher } from './password-hash.js';
import { findPerson, savePassword } from './person-store.js';
import type { Person } from './person-session.js';
import { deleteSessionsOf } from './session-store.js';
import type { PersonSignIn } from './sign-in.js';

/** A new password: 12 to 200 characters. */
export const newPasswordField = Joi.string().min(12).max(200);

export interface PasswordServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  hasher: PasswordHasher;
  links: Pick<LinkService, 'use'>;
  signIn: Pick<PersonSignIn, 'confirms' | 'limited'>;
}

/** A change of the own password. */
export interface PasswordChange {
  current: string | undefined;
  password: string;
  address: string | undefined;
}

/** Creates the service that sets passwords. A new password ends all other sessions of its user, and its links. */
export function createPasswordService({ database, hasher, links, signIn }: PasswordServiceDeps) {
  return {
    /** Sets the password of a link's user. Returns that user; undefined if the link does not work. @throws AppError 429. */
    async setByLink(
      token: string,
      password: string,
      address: string | undefined,
    ): Promise<Person | undefined> {
      return signIn.limited(address, async () => {
        const hash = await hasher.hash(password);
        return links.use(token, 'password', async ({ tenantId, userId }, session) => {
          await savePassword(userId, hash, session);
          await deleteLinksOf(userId, session);
          await deleteSessionsOf(userId, session);
          return { tenantId, userId, method: 'link' as const, apiKeyId: null };
        });
      });
    },

    /**
     * Sets the own password. A user without one needs no current one.
     * @throws Unprocessable if the current one is missing or wrong; AppError 429 after too many wrong ones.
     */
    async change(actor: Actor, { current, password, address }: PasswordChange): Promise<void> {
      const person = await database.read((session) => findPerson(actor.userId, session));
      if (person === undefined) throw new NotFound('User');
      if (person.hash !== undefined && current === undefined) throw wrongCurrent('is required');
      if (person.hash !== undefined && !(await signIn.confirms(person, current ?? '', address)))
        throw wrongCurrent('is wrong');
      const hash = await hasher.hash(password);
      await database.transaction(async (session) => {
        await savePassword(person.userId, hash, session);
        await deleteLinksOf(person.userId, session);
        await deleteSessionsOf(person.userId, session, actor.sessionId);
      });
    },

    /** Returns true if the user has a password. */
    async has(actor: Actor): Promise<boolean> {
      const person = await database.read((session) => findPerson(actor.userId, session));
      return person?.hash !== undefined;
    },
  };
}

function wrongCurrent(what: string): Unprocessable {
  return new Unprocessable([{ message: `"current_password" ${what}`, details: 'current_password' }]);
}
