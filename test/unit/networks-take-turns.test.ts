import { createKnownDevices } from '../../src/people/sign-in/known-devices.js';
import { createSignInQueue } from '../../src/people/sign-in/sign-in-queue.js';
import { networkKey } from '../../src/platform/http/address/address-key.js';

const stranger = (address: string) => ({ address });
const guesser = (address: string) => ({ address, hasGuessed: true });
const done = () => Promise.resolve('done');

/** Work that goes on until `open` is called. */
function gate() {
  const done = new AbortController();
  const opened = new Promise<void>((resolve) =>
    done.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  return { open: () => done.abort(), opened };
}

/** Lets attempts in one after the other; returns their names in the order of their turns. */
async function orderOf(attempts: [string, Parameters<ReturnType<typeof createSignInQueue>['take']>[0]][]) {
  const turns = createSignInQueue({ atOnce: 1 });
  const order: string[] = [];
  const { open, opened } = gate();
  const first = turns.take(stranger('192.0.2.1'), () => opened);
  const others = attempts.map(([name, attempt]) =>
    turns.take(attempt, () => Promise.resolve(void order.push(name))),
  );
  open();
  await Promise.all([first, ...others]);
  return order;
}

test('S2: networks take turns, however many addresses one of them has', async () => {
  const order = await orderOf([
    ['a1', stranger('198.51.100.1')],
    ['a2', stranger('198.51.100.2')],
    ['a3', stranger('198.51.100.3')],
    ['b1', stranger('203.0.113.9')],
    ['c1', stranger('2001:db8:1:2::1')],
    ['c2', stranger('2001:db8:1:3::1')],
  ]);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('S2: known people and networks that have not guessed have turns of their own', async () => {
  const order = await orderOf([
    ['g1', guesser('198.51.100.1')],
    ['g2', guesser('203.0.113.9')],
    ['g3', guesser('192.0.2.9')],
    ['fresh', stranger('198.51.101.1')],
    ['ada', { userId: 1 }],
  ]);
  expect(order).toEqual(['ada', 'fresh', 'g1', 'g2', 'g3']);
});

test('S2: people who are known have every second turn beside strangers', async () => {
  const order = await orderOf([
    ['a', stranger('198.51.100.1')],
    ['b', stranger('203.0.113.9')],
    ['ada', { userId: 1 }],
    ['bob', { userId: 2 }],
  ]);
  expect(order).toEqual(['ada', 'a', 'bob', 'b']);
});

test('S2: too many of one network are refused, and others are not', async () => {
  const turns = createSignInQueue({ atOnce: 1, maxOfNetwork: 1 });
  const { open, opened } = gate();
  const first = turns.take(stranger('192.0.2.1'), () => opened);
  const second = turns.take(stranger('192.0.2.2'), () => Promise.resolve());
  await expect(turns.take(stranger('192.0.2.3'), () => Promise.resolve())).rejects.toMatchObject({
    status: 503,
  });
  const other = turns.take(stranger('198.51.100.1'), () => Promise.resolve());
  open();
  await Promise.all([first, second, other]);
});

test('S2: where too many wait, the network that has most of them gives way', async () => {
  const turns = createSignInQueue({ atOnce: 1, maxWaiting: 3 });
  const { open, opened } = gate();
  const running = turns.take(stranger('192.0.2.1'), () => opened);
  const crowd = [1, 2, 3].map((last) => turns.take(stranger(`192.0.2.${last}`), done));
  const settled = Promise.allSettled(crowd);
  const other = turns.take(stranger('198.51.100.1'), done);
  await expect(turns.take(stranger('192.0.2.4'), done)).rejects.toMatchObject({ status: 503 });
  open();
  await running;
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(await other).toBe('done');
});

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3::9', '2001:db8:1::/48'],
  ['', ''],
])('S2: the network of %s is %s', (address, network) => {
  expect(networkKey(address)).toBe(network);
});

test('S2: a browser is known for its user alone, until it is too old, and by every process with the same secret', () => {
  const secret = Buffer.alloc(32, 7);
  let now = Date.UTC(2026, 10, 29);
  const devices = createKnownDevices(secret, () => now);
  const ada = { userId: 5, hash: 'a' };
  const value = devices.valueFor(ada);
  const [end = '', random = '', mac = ''] = value.split('.');
  expect(createKnownDevices(secret, () => now).knows(['x', value], ada)).toBe(true);
  expect(devices.knows([value], { userId: 6, hash: 'a' })).toBe(false);
  expect(devices.knows([], ada)).toBe(false);
  expect(devices.knows([[Number(end) + 1, random, mac].join('.')], ada)).toBe(false);
  expect(createKnownDevices(undefined, () => now).knows([value], ada)).toBe(false);
  now += 181 * 24 * 60 * 60_000;
  expect(devices.knows([value], ada)).toBe(false);
});
