import { setTimeout as sleep } from 'node:timers/promises';
import { Forbidden, Unauthorized } from '../../platform/errors.js';
import { networkKey } from '../../platform/http/address/address-key.js';
import { createGrowingPauses } from '../../platform/http/limits/growing-pauses.js';
import { createGuessLimits, type GuessLimits } from '../../platform/http/limits/guess-limits.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Authenticator } from '../../api/face.js';
import type { KnownDevices } from './known-devices.js';
import type { LinkService } from './link-service.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { Person } from './person-session.js';
import { accountName, type SignInCandidate, findByAddress } from '../users/person-store.js';
import type { Attempt, SignInQueue } from './sign-in-queue.js';

/** Most tenants of one address whose passwords are compared. */
const MAX_TENANTS = 5;
/** Wrong passwords for one account delay attempts from unknown browsers; they wait beside each other. */
const OF_ACCOUNT = { free: 10, firstMs: 100, longestMs: 4_000, forgetMs: 15 * 60_000 };
/** After so many wrong passwords a network waits with others that guess, and not with those who come for the first time. */
const OF_NETWORK = { free: 3, firstMs: 1, longestMs: 1, forgetMs: 15 * 60_000 };
/** Links and keys have 256 random bits: wrong ones only must not cost much. */
const OF_TOKENS = { longestPaceMs: 1_000 };

export interface SignInDeps {
  database: Pick<Database, 'read'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  hasher: PasswordHasher;
  links: Pick<LinkService, 'use'>;
  queue: SignInQueue;
  devices: Pick<KnownDevices, 'knows'>;
}

/** A password that somebody typed. */
export interface TypedPassword {
  email: string;
  password: string;
}

/** The place from which somebody tries to sign in. */
export interface SignInPlace {
  address: string | undefined;
  /** Marks of earlier sign-ins that the browser kept. */
  devices: readonly string[];
  /** Called with the people of the address for whom the password was wrong; not for an unknown address. */
  onWrong?: (people: readonly SignInCandidate[]) => void;
}

export type PersonSignIn = ReturnType<typeof createSignIn>;

/**
 * Creates the check of passwords, keys and links by which people sign in (decision 0084). Methods return undefined for a
 * wrong one, and throw AppError 429 for too many wrong ones of an address; never because of the account alone.
 */
export function createSignIn({ database, authenticator, hasher, links, queue, devices }: SignInDeps) {
  const byAddress = createGuessLimits();
  const byPerson = createGuessLimits();
  const byToken = createGuessLimits(OF_TOKENS);
  const byAccount = createGrowingPauses(OF_ACCOUNT);
  const byNetwork = createGrowingPauses(OF_NETWORK);

  const peopleOf = (email: string): Promise<SignInCandidate[]> =>
    database.read((session) => findByAddress(email, MAX_TENANTS, session));

  /** Returns whose password it is. An address that nobody has takes as long. */
  const holderOf = async (
    password: string,
    { people, attempt }: { people: SignInCandidate[]; attempt: Attempt },
    { onWrong }: SignInPlace,
  ): Promise<SignInCandidate | undefined> => {
    const isRight = (hash?: string) => queue.take(attempt, () => hasher.isRight(password, hash));
    if (people.length === 0) await isRight();
    for (const person of people) {
      if (await isRight(person.hash)) return person;
    }
    if (people.length > 0) onWrong?.(people);
    return undefined;
  };

  /** Returns what `find` finds, unless there were too many wrong links and keys from the address. */
  const withToken = <T>(address: string | undefined, find: () => Promise<T | undefined>) =>
    limited(byToken, address, find);

  /** Returns the person of the address who signed in with this browser before. */
  const knownAmong = (people: SignInCandidate[], place: SignInPlace): SignInCandidate | undefined =>
    people.find((person) => devices.knows(place.devices, person));

  return {
    async withPassword({ email, password }: TypedPassword, place: SignInPlace): Promise<Person | undefined> {
      const people = place.devices.length === 0 ? [] : await peopleOf(email);
      const known = knownAmong(people, place);
      const { address } = place;
      const network = networkKey(address);
      const asStranger = () =>
        afterPause(byAccount, accountName(email), async () => {
          const attempt = { address, hasGuessed: byNetwork.of(network) > 0 };
          const found = await holderOf(password, { people: await peopleOf(email), attempt }, place);
          if (found === undefined) byNetwork.add(network);
          return found;
        });
      const asKnown = (userId: number) => holderOf(password, { people, attempt: { userId } }, place);
      const holder = await (known === undefined
        ? limited(byAddress, address, asStranger)
        : limited(byPerson, nameOf(known), () => asKnown(known.userId)));
      return holder && personOf(holder, 'password');
    },

    /** @throws Forbidden for a key of a tenant or a team: it is nobody's. */
    async withKey(key: string, address: string | undefined): Promise<Person | undefined> {
      const actor = await withToken(address, () =>
        authenticator
          .authenticate({ userToken: key, authorization: undefined }, address)
          .catch((error: unknown) => {
            if (error instanceof Unauthorized) return undefined;
            throw error;
          }),
      );
      if (actor === undefined) return undefined;
      if (actor.kind !== 'personal') throw new Forbidden('Only personal API keys can be used to sign in');
      const { tenantId, userId, keyId: apiKeyId } = actor;
      return { tenantId, userId, apiKeyId, method: 'api_key' };
    },

    /** `allow` throws for a person who may not sign in here; the link is not used up then. */
    withLink: (
      token: string,
      address: string | undefined,
      allow: (person: Person) => void = () => undefined,
    ): Promise<Person | undefined> =>
      withToken(address, () =>
        links.use(token, 'sign_in', async (candidate) => {
          const person = personOf(candidate, 'link');
          allow(person);
          return person;
        }),
      ),

    /** Returns whether the password is that of the person, who has a session. @throws AppError 429. */
    confirms: (person: SignInCandidate, password: string): Promise<boolean> =>
      byPerson.check(nameOf(person), () =>
        queue.take({ userId: person.userId }, () => hasher.isRight(password, person.hash)),
      ),

    withToken,
  };
}

/** Returns what `find` finds after the account's pause, and counts a wrong password for the account. */
async function afterPause<T>(
  pauses: ReturnType<typeof createGrowingPauses>,
  account: string,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const pauseMs = pauses.of(account);
  if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false });
  pauses.add(account);
  let isWrong = false;
  try {
    const found = await find();
    isWrong = found === undefined;
    return found;
  } finally {
    if (!isWrong) pauses.takeBack(account);
  }
}

/** Returns what `find` finds; nothing counts as a wrong attempt. @throws AppError 429. */
async function limited<T>(
  limits: Pick<GuessLimits, 'check'>,
  key: string | undefined,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let found: T | undefined;
  await limits.check(key, async () => (found = await find()) !== undefined);
  return found;
}

function nameOf({ userId }: SignInCandidate): string {
  return `user ${userId}`;
}

function personOf({ tenantId, userId }: SignInCandidate, method: Person['method']): Person {
  return { tenantId, userId, method, apiKeyId: null };
}
