import type { Actor } from '../../../src/api/face.js';
import {
  createInboxReader,
  type InboxEntriesDeps,
} from '../../../src/operate/monitoring/inbox/inbox-entries.js';
import { webhookEntries } from '../../../src/operate/monitoring/inbox/webhook-entries.js';

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
function reader(changed: Partial<InboxEntriesDeps> = {}) {
  const ends: ((used: number) => void)[] = [];
  const deps: InboxEntriesDeps = {
    database: { read: (work) => work({ rows: async () => [] } as never) },
    work: async () => ({ counts: [], countedAt: new Date() }),
    states: async () => new Map(),
    deadLetters: { groups: async () => ({ groups: [], complete: true }) },
    quotas: { usage: () => new Promise((done) => ends.push((used) => done(quota(used)))) },
    refusals: async () => [],
    nowMs: async () => 0,
    note: async () => undefined,
    logger: { info: () => undefined } as never,
    ...changed,
  };
  return { ends, read: createInboxReader(deps) };
}

const usedIn = async (reading: ReturnType<ReturnType<typeof createInboxReader>['all']>) =>
  (await reading).entries.map(({ count }) => count);

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

test('callers share what was read', async () => {
  const { ends, read } = reader();
  const first = read.all(ACTOR);
  const second = read.all(ACTOR);
  expect(ends).toHaveLength(1);
  ends[0]!(81);
  expect(await usedIn(first)).toEqual([81]);
  expect(await usedIn(second)).toEqual([81]);
  expect(await usedIn(read.all(ACTOR))).toEqual([81]);
  expect(ends).toHaveLength(1);
});

test('one kind is read as it is now, and leaves what callers share', async () => {
  const { ends, read } = reader();
  const all = read.all(ACTOR);
  ends[0]!(81);
  await all;
  const now = read.kind(ACTOR, 'quota');
  ends[1]!(92);
  expect((await now).map(({ count }) => count)).toEqual([92]);
  expect(await usedIn(read.all(ACTOR))).toEqual([81]);
});

test('a reading that takes long keeps what is known, with its time, and is told as behind', async () => {
  const { ends, read } = reader();
  const all = read.all(ACTOR);
  ends[0]!(81);
  const { checkedAt } = await all;
  jest.advanceTimersByTime(61_000);
  const late = read.all(ACTOR);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await late).toMatchObject({ unread: [], isBehind: true, checkedAt });
  expect(await usedIn(late)).toEqual([81]);
  ends[1]!(92);
  const current = await read.all(ACTOR);
  expect(current.entries.map(({ count }) => count)).toEqual([92]);
});

test('a kind of which nothing is known is left out after five seconds, and read by the next caller', async () => {
  const { ends, read } = reader();
  const first = read.all(ACTOR);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await first).toMatchObject({ unread: ['quota'], entries: [], isBehind: false });
  const second = read.all(ACTOR);
  ends[0]!(81);
  expect(await usedIn(second)).toEqual([81]);
});

test('held work is read again after a second, however long others kept its first reading waiting', async () => {
  let counted = 0;
  const work = async () => {
    counted += 1;
    await new Promise((done) => setTimeout(done, 900));
    return { counts: [], countedAt: new Date() };
  };
  const { ends, read } = reader({ work });
  const readNow = async () => {
    const all = read.all(ACTOR);
    ends.at(-1)!(81);
    await jest.advanceTimersByTimeAsync(2_000);
    await all;
  };
  await readNow();
  const before = counted;
  await readNow();
  expect(counted).toBeGreaterThan(before);
});

test('of one kind that cannot be read in time, a change is refused for now', async () => {
  const { read } = reader();
  const now = expect(read.kind(ACTOR, 'quota')).rejects.toMatchObject({ status: 503 });
  await jest.advanceTimersByTimeAsync(5_000);
  await now;
});

test('a name that turns text turns no word of the title', () => {
  const hook = {
    id: 7,
    name: '\u202Eeliforp\u2067',
    story: { id: 3, name: 'Alerts' },
    teamId: 3,
    count: 2,
    isAtLeast: false,
    reasons: [],
    firstAt: new Date(0),
    lastAt: new Date(0),
  };
  expect(webhookEntries([hook]).map(({ title }) => title)).toEqual(['\\u202eeliforp\\u2067 refused 2 calls']);
});
