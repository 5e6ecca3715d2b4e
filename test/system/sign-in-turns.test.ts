import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { postFrom } from '../support/from-address.js';
import { givePassword, makeLink, PASSWORD } from '../support/people.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const WRONG = 'wrong horse battery';
/** On a machine that others keep busy a hash takes a second, and all attackers are answered before a test ends. */
const LIMIT_MS = 5 * 60_000;
let fabula: TestFabula;
let ada: Account;

beforeEach(async () => {
  fabula = await startFabula(stores, { queues: [], relay: false });
  ada = await buildAccount(stores.db, { owner: true });
  await givePassword(stores, ada.user.id);
});
afterEach(() => fabula.close());

const signInFrom = (address: string, email: string, password: string, cookie?: string) =>
  postFrom(address, `${fabula.adminUrl}/session`, {
    body: { email, password },
    ...(cookie !== undefined && { cookie }),
  });

/** Guesses from eleven addresses: a known browser is refused the last one. */
async function guessesWith(cookie: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1) {
    const address = `127.0.${guess + 20}.1`;
    statuses.push((await signInFrom(address, ada.user.email, WRONG, cookie)).status);
  }
  return statuses;
}

/** Addresses that each guess again and again until they are stopped. */
function attack(count: number, email: (address: number) => string) {
  const over = new AbortController();
  const statuses: number[] = [];
  const guess = async (address: number) => {
    while (!over.signal.aborted) {
      const { status } = await signInFrom(`127.0.${address + 1}.1`, email(address), WRONG);
      statuses.push(status);
    }
  };
  const guessers = Array.from({ length: count }, (_, address) => guess(address));
  return {
    statuses,
    /** Waits until the attackers have had answers, so that the attack is under way. */
    underWay: () => eventually(() => statuses.length >= count, LIMIT_MS),
    async stop() {
      over.abort();
      await Promise.all(guessers);
    },
  };
}

describe('while strangers guess', () => {
  it.each([3, 10])(
    'S2: from %i addresses, another person signs in with the right password, and the API answers',
    async (count) => {
      const strangers = attack(count, (address) => `nobody-${address}@x.test`);
      await strangers.underWay();
      const { status } = await signInFrom('127.0.200.1', ada.user.email, PASSWORD);
      const me = await fabula.api('GET', '/api/v1/users/me');
      await strangers.stop();
      expect([status, me.status]).toEqual([201, 200]);
      expect(strangers.statuses).not.toContain(503);
    },
    LIMIT_MS,
  );

  it(
    'S2: from sixty addresses at one account, its person gets in by the right password, a known browser or a link',
    async () => {
      const earlier = await signInFrom('127.0.201.1', ada.user.email, PASSWORD);
      const token = await makeLink(stores, ada.user.id, 'password');
      const strangers = attack(60, () => ada.user.email);
      await strangers.underWay();
      const known = await signInFrom('127.0.1.1', ada.user.email, PASSWORD, earlier.cookie);
      const fresh = await signInFrom('127.0.202.1', ada.user.email, PASSWORD);
      const set = await postFrom('127.0.1.1', `${fabula.adminUrl}/session/password`, {
        body: { token, password: 'another password' },
      });
      await strangers.stop();
      expect([known.status, fresh.status, set.status]).toEqual([201, 201, 204]);
      expect(strangers.statuses).not.toContain(201);
    },
    LIMIT_MS,
  );
});

describe('a known browser', () => {
  it('S2: is known for the account that signed in there, and its cookie does not tell which', async () => {
    const { cookie } = await signInFrom('127.0.0.1', ada.user.email, PASSWORD);
    const device = /fabula_device=([^;]+)/.exec(cookie)?.[1] ?? '';
    expect(device).not.toBe('');
    const again = /fabula_device=([^;]+)/.exec(
      (await signInFrom('127.0.0.1', ada.user.email, PASSWORD)).cookie,
    );
    expect(again?.[1]).not.toBe(device);
    for (const told of [String(ada.user.id), ada.user.email, Buffer.from(ada.user.email).toString('base64')])
      expect(device.split('.')).not.toContain(told);
  });

  it('S2: is unknown after a new password, except where it was changed', async () => {
    const own = await signInFrom('127.0.0.1', ada.user.email, PASSWORD);
    const other = await signInFrom('127.0.0.1', ada.user.email, PASSWORD);
    const changed = await postFrom('127.0.0.1', `${fabula.adminUrl}/session/password`, {
      body: { current_password: PASSWORD, password: 'another password' },
      cookie: own.cookie,
    });
    expect(changed.status).toBe(200);
    expect(await guessesWith(other.cookie)).not.toContain(429);
    expect(await guessesWith(changed.cookie)).toContain(429);
  });

  it('S2: gets no more guesses than an unknown one', async () => {
    const { cookie } = await signInFrom('127.0.0.1', ada.user.email, PASSWORD);
    expect(await guessesWith(cookie)).toEqual([...Array<number>(10).fill(401), 429]);
  });
});
