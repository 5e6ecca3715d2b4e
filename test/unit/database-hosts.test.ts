import { readConfig } from '../../src/config/config.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createDatabaseHosts } from '../../src/platform/mysql/hosts/database-hosts.js';
import { createFailBack, type FailBack } from '../../src/platform/mysql/hosts/fail-back.js';
import type { HostState } from '../../src/platform/mysql/hosts/host-probe.js';
import { readDatabaseAddresses } from '../../src/platform/addresses/database-address.js';
import { splitHosts } from '../../src/platform/addresses/split-hosts.js';

const SECOND = 1_000;
const read = (url: string) => readConfig({ DATABASE_URL: url, REDIS_URL: 'redis://r' }).databaseUrl;

describe('an address with several hosts', () => {
  it('stands for one address of each, in their order', () => {
    expect(splitHosts('mysql://u:p@a,b:3307,[::1]:3308/name?ssl-mode=REQUIRED')).toEqual([
      'mysql://u:p@a/name?ssl-mode=REQUIRED',
      'mysql://u:p@b:3307/name?ssl-mode=REQUIRED',
      'mysql://u:p@[::1]:3308/name?ssl-mode=REQUIRED',
    ]);
  });

  it.each(['mysql://u:p@a:3306/name', 'mysql://u:p,q@a/name', 'mysql://a/name?x=1,2'])(
    'is one address if it has one host: %s',
    (address) => expect(splitHosts(address)).toEqual([address]),
  );

  it.each([
    ['mysql://u:p@a,,b/name', 'has an empty place in its list of hosts'],
    [`mysql://${Array.from({ length: 17 }, (_, n) => `h${n}`).join(',')}/name`, 'has more than 16 hosts'],
    ['mysql://a,b/name?socketPath=/run/s', 'has several hosts and "socketPath", which is one place'],
  ])('is refused: %s', (address, reason) => {
    expect(() => readDatabaseAddresses(address)).toThrow(reason);
  });
});

describe('DATABASE_URL', () => {
  it('may list hosts', () => expect(read('mysql://u:p@a,b:3307/name')).toBe('mysql://u:p@a,b:3307/name'));

  it.each([
    ['mysql://a,,b/name', 'DATABASE_URL has an empty place in its list of hosts'],
    ['mysql://a,b:99999/name', 'DATABASE_URL is not a valid address'],
    ['postgres://a,b/name', 'DATABASE_URL must be a valid uri with a scheme'],
  ])('is refused with the reason: %s', (url, reason) => expect(() => read(url)).toThrow(reason));
});

describe('the host that is used', () => {
  const NAMES = ['a', 'b', 'c'] as const;
  const hostsWith = (states: Record<string, HostState['kind']>) => {
    const moves: boolean[] = [];
    const hosts = createDatabaseHosts(
      NAMES.map((name) => ({ url: `mysql://${name}/name` })),
      {
        logger: createSilentLogger(),
        watched: false,
        probeOf: ({ url }) => ({
          look: () => Promise.resolve({ kind: states[new URL(url).host] ?? 'away' }),
          close: () => undefined,
        }),
      },
    );
    hosts.onMove(({ isLost }) => moves.push(isLost));
    return { hosts, moves, name: () => new URL(hosts.current().url).host };
  };

  it.each([
    [{ a: 'serving', b: 'serving', c: 'serving' }, 'a'],
    [{ a: 'away', b: 'refusing', c: 'serving' }, 'c'],
    [{ a: 'refusing', b: 'behind', c: 'away' }, 'b'],
    [{ a: 'behind', b: 'away', c: 'serving' }, 'c'],
    [{ a: 'behind', b: 'behind', c: 'away' }, 'a'],
    [{ a: 'away', b: 'refusing', c: 'away' }, 'a'],
  ] as const)('is the first that is good: %j → %s', async (states, expected) => {
    const { hosts, name } = hostsWith(states);
    await hosts.chosen();
    expect(name()).toBe(expected);
  });

  it('changes when it becomes read-only, or does not respond any more; only then its connections are lost', async () => {
    const states: Record<string, HostState['kind']> = { a: 'serving', b: 'serving', c: 'serving' };
    const { hosts, moves, name } = hostsWith(states);
    await hosts.chosen();
    states['a'] = 'refusing';
    expect(await hosts.look()).toBe(true);
    expect(name()).toBe('b');
    states['b'] = 'away';
    expect(await hosts.look()).toBe(true);
    expect(name()).toBe('c');
    expect(moves).toEqual([false, true]);
  });

  it('is down only if no host responds', async () => {
    const states: Record<string, HostState['kind']> = { a: 'away', b: 'refusing', c: 'away' };
    const { hosts } = hostsWith(states);
    expect(await hosts.look()).toBe(false);
    states['a'] = 'refusing';
    expect(await hosts.look()).toBe(true);
  });
});

describe('an earlier host', () => {
  it('is used again after half a minute without a break', () => {
    const clock = { now: 0 };
    const failBack = createFailBack(() => clock.now);
    for (const serving of [true, true, false]) {
      failBack.seen([serving]);
      clock.now += 10 * SECOND;
    }
    expect(secondsUntilReturn(failBack, clock)).toBe(30);
  });

  it('is waited for longer each time it fails again soon, ten minutes at most', () => {
    const clock = { now: 0 };
    const failBack = createFailBack(() => clock.now);
    const waits = Array.from({ length: 7 }, () => {
      const waited = secondsUntilReturn(failBack, clock);
      clock.now += SECOND;
      failBack.left(0);
      return waited;
    });
    // Four seconds pass before the next look.
    expect(waits).toEqual([30, 64, 124, 244, 484, 604, 604]);
  });

  it('is waited for as long as at first, after it has served for a while', () => {
    const clock = { now: 0 };
    const failBack = createFailBack(() => clock.now);
    secondsUntilReturn(failBack, clock);
    failBack.left(0);
    secondsUntilReturn(failBack, clock);
    clock.now += 600 * SECOND;
    failBack.left(0);
    expect(secondsUntilReturn(failBack, clock)).toBe(30);
  });
});

/** Looks every five seconds, as the first host serves or not; returns after how many seconds it is used again. */
function secondsUntilReturn(failBack: FailBack, clock: { now: number }): number | undefined {
  const began = clock.now;
  while (clock.now - began < 3600 * SECOND) {
    if (failBack.isDue() && failBack.seen([true]) === 0) return (clock.now - began) / SECOND;
    clock.now += SECOND;
  }
  return undefined;
}
