import type { Actor } from '../../../src/api/face.js';
import {
  createInboxEntries,
  type InboxEntriesDeps,
} from '../../../src/operate/monitoring/inbox/inbox-entries.js';

const ACTOR: Actor = {
  keyId: 1,
  kind: 'personal',
  tenantId: 1,
  userId: 5,
  userEmail: 'ada@example.com',
  isOwner: false,
  roles: new Map([[3, 'EDITOR']]),
  keyTeamId: undefined,
};

const quota = (used: number) => [{ name: 'mails_per_day' as const, used, limit: 100, resetsAt: null }];

/** A reader, and what ends each of its readings with a use of a quota. */
function reader() {
  const ends: ((used: number) => void)[] = [];
  const deps: InboxEntriesDeps = {
    database: { read: async () => [] as never },
    work: async () => ({ counts: [], countedAt: new Date(0) }),
    states: async () => new Map(),
    deadLetters: { groups: async () => ({ groups: [], complete: true }) },
    quotas: { usage: () => new Promise((done) => ends.push((used) => done(quota(used)))) },
    refusals: async () => [],
    nowMs: async () => 0,
    logger: { info: () => undefined } as never,
  };
  return { ends, read: createInboxEntries(deps) };
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const usedIn = async (reading: ReturnType<ReturnType<typeof createInboxEntries>>) =>
  (await reading).entries.map(({ count }) => count);

test('what is asked for anew is read anew once in five seconds', async () => {
  const { ends, read } = reader();
  const first = read(ACTOR);
  expect(read(ACTOR, true)).toBe(first);
  jest.advanceTimersByTime(4_900);
  expect(read(ACTOR, true)).toBe(first);
  jest.advanceTimersByTime(200);
  expect(read(ACTOR, true)).not.toBe(first);
  expect(ends).toHaveLength(2);
});

test('an older reading that ends late does not replace a newer one', async () => {
  const { ends, read } = reader();
  const older = read(ACTOR);
  jest.advanceTimersByTime(5_001);
  const newer = read(ACTOR, true);
  ends[1]!(92);
  expect(await usedIn(newer)).toEqual([92]);
  ends[0]!(81);
  await older;
  expect(read(ACTOR)).toBe(newer);
});
