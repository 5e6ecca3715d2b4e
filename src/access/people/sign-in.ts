import { Forbidden, Unauthorized } from '../../platform/errors.js';
import { createGuessLimits } from '../../platform/http/guess-limits.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Authenticator } from '../auth/authenticator.js';
import type { LinkService } from './link-service.js';
import type { PasswordHasher } from './password-hash.js';
import { type Candidate, findByAddress } from './person-store.js';
import type { Person } from './person-session.js';

/** Most tenants of one address whose passwords are compared. */
const MAX_TENANTS = 5;

export interface SignInDeps {
  database: Pick<Database, 'read'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  hasher: PasswordHasher;
  links: Pick<LinkService, 'use'>;
}

/** A password that somebody typed. */
export interface TypedPassword {
  email: string;
  password: string;
}

export type PersonSignIn = ReturnType<typeof createSignIn>;

/**
 * Creates the check of passwords, keys and links by which people sign in. Wrong attempts are limited by address and by
 * account. Methods return undefined for a wrong one, and throw AppError 429 for too many wrong ones.
 */
export function createSignIn({ database, authenticator, hasher, links }: SignInDeps) {
  const byAddress = createGuessLimits();
  const byAccount = createGuessLimits();

  const holderOf = async (password: string, candidates: Candidate[]): Promise<Candidate | undefined> => {
    if (candidates.length === 0) await hasher.isRight(password, undefined);
    for (const candidate of candidates) {
      if (await hasher.isRight(password, candidate.hash)) return candidate;
    }
    return undefined;
  };

  /** Returns what `find` finds, unless there were too many attempts from the address. */
  const limited = async <T>(
    address: string | undefined,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    let found: T | undefined;
    await byAddress.check(address, async () => (found = await find()) !== undefined);
    return found;
  };

  /** Returns whether the password is one of the user; wrong ones count for the account. */
  const isPasswordOf = (candidate: Candidate, password: string): Promise<boolean> =>
    byAccount.check(accountOf([candidate], candidate.email), () => hasher.isRight(password, candidate.hash));

  return {
    async withPassword(
      { email, password }: TypedPassword,
      address: string | undefined,
    ): Promise<Person | undefined> {
      const holder = await limited(address, async () => {
        const candidates = await database.read((session) => findByAddress(email, MAX_TENANTS, session));
        let found: Candidate | undefined;
        await byAccount.check(
          accountOf(candidates, email),
          async () => (found = await holderOf(password, candidates)) !== undefined,
        );
        return found;
      });
      return holder && personOf(holder, 'password');
    },

    /** @throws Forbidden for a key of a tenant or a team: it is nobody's. */
    async withKey(key: string, address: string | undefined): Promise<Person | undefined> {
      const actor = await limited(address, () =>
        authenticator
          .authenticate({ userToken: key, authorization: undefined }, address)
          .catch((error: unknown) => {
            if (error instanceof Unauthorized) return undefined;
            throw error;
          }),
      );
      if (actor === undefined) return undefined;
      if (actor.kind !== 'personal') throw new Forbidden('Only a personal API key signs a person in');
      const { tenantId, userId, keyId: apiKeyId } = actor;
      return { tenantId, userId, apiKeyId, method: 'api_key' };
    },

    withLink: (token: string, address: string | undefined): Promise<Person | undefined> =>
      limited(address, () =>
        links.use(token, 'sign_in', (person) => Promise.resolve(personOf(person, 'link'))),
      ),

    /** Returns whether the person's password is this one. @throws AppError 429. */
    confirms: (person: Candidate, password: string, address: string | undefined): Promise<boolean> =>
      byAddress.check(address, () => isPasswordOf(person, password)),

    limited,
  };
}

/** Returns the name of the account for its limit. The database finds one address under several spellings. */
function accountOf([first]: Candidate[], email: string): string {
  return first === undefined ? `address ${email.toLowerCase()}` : `user ${first.userId}`;
}

function personOf({ tenantId, userId }: Candidate, method: Person['method']): Person {
  return { tenantId, userId, method, apiKeyId: null };
}
