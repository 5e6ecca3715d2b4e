import Joi from 'joi';
import { Forbidden, NotFound, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Actor } from '../../api/face.js';
import { isCommonPassword } from './common-passwords.js';
import type { LinkService } from '../sign-in/link-service.js';
import { deleteLoginLinks } from '../sign-in/login-link-store.js';
import type { PasswordHasher } from './password-hasher.js';
import type { SignInMethod } from '../sign-in/person-session.js';
import { type SignInCandidate, findActivePerson, savePassword } from '../users/person-store.js';
import { deleteSessionsOf } from '../sign-in/session-store.js';
import type { PersonSignIn } from '../sign-in/sign-in.js';
import type { SignInQueue } from '../sign-in/sign-in-queue.js';

/** A new password: 12 to 200 characters. */
export const newPasswordField = Joi.string().min(12).max(200);

export interface PasswordServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  hasher: PasswordHasher;
  links: Pick<LinkService, 'use' | 'look'>;
  signIn: Pick<PersonSignIn, 'confirms' | 'withToken'>;
  queue: SignInQueue;
}

/** A change of the own password. */
export interface PasswordChange {
  current: string | undefined;
  password: string;
  /** How the session began in which it is changed. */
  method: SignInMethod;
  /** Called if the current one is wrong. */
  onWrong: (person: SignInCandidate) => void;
}

/** A first password may be set in a session of a link alone: a found API key must not become a password that outlives it. */
export class FirstPasswordNeedsLink extends Forbidden {
  readonly person: SignInCandidate;

  constructor(person: SignInCandidate) {
    super('Set the first password through a mailed link, or in a session started by a sign-in link');
    this.person = person;
  }
}

/** Creates the service that sets passwords. A new password ends all other sessions of its user, and its links. */
export function createPasswordService({ database, hasher, links, signIn, queue }: PasswordServiceDeps) {
  /** Returns the hash of a new password. @throws Unprocessable for one that is easily guessed. */
  const hashOf = (password: string, { email, userId }: SignInCandidate): Promise<string> => {
    if (isCommonPassword(password, email)) throw tooCommon();
    return queue.take({ userId }, () => hasher.hash(password));
  };

  return {
    /**
     * Sets the password of a link's user. Returns that user; undefined if the link does not work.
     * @throws AppError 429; Unprocessable for a password that is easily guessed: the link still works.
     */
    async setByLink(
      token: string,
      password: string,
      address: string | undefined,
    ): Promise<SignInCandidate | undefined> {
      return signIn.withToken(address, async () => {
        const person = await links.look(token, 'password');
        if (person === undefined) return undefined;
        const hash = await hashOf(password, person);
        return links.use(token, 'password', async (owner, session) => {
          await savePassword(owner.userId, hash, session);
          await deleteLoginLinks(owner.userId, session);
          await deleteSessionsOf(owner.userId, session);
          return owner;
        });
      });
    },

    /**
     * Sets the own password. A user without one needs no current one, but a session that a link began. Returns the user as
     * changed.
     * @throws FirstPasswordNeedsLink; Unprocessable if the current one is missing or wrong, or the new one easily guessed;
     * AppError 429 after too many wrong ones.
     */
    async change(
      actor: Actor,
      { current, password, method, onWrong }: PasswordChange,
    ): Promise<SignInCandidate> {
      const person = await database.read((session) => findActivePerson(actor.userId, session));
      if (person === undefined) throw new NotFound('User');
      if (person.hash === undefined && method !== 'link') throw new FirstPasswordNeedsLink(person);
      if (person.hash !== undefined && current === undefined) throw wrongCurrent('is required');
      if (person.hash !== undefined && !(await signIn.confirms(person, current ?? ''))) {
        onWrong(person);
        throw wrongCurrent('is wrong');
      }
      const hash = await hashOf(password, person);
      await database.transaction(async (session) => {
        await savePassword(person.userId, hash, session);
        await deleteLoginLinks(person.userId, session);
        await deleteSessionsOf(person.userId, session, actor.sessionId);
      });
      return { ...person, hash };
    },

    /** Returns true if the user has a password. */
    async has(actor: Actor): Promise<boolean> {
      const person = await database.read((session) => findActivePerson(actor.userId, session));
      return person?.hash !== undefined;
    },
  };
}

function wrongCurrent(what: string): Unprocessable {
  return new Unprocessable([{ message: `"current_password" ${what}`, details: 'current_password' }]);
}

function tooCommon(): Unprocessable {
  const message = '"password" is too easy to guess: use several unrelated words';
  return new Unprocessable([{ message, details: 'password' }]);
}
