import type { Actor } from '../../../src/api/face.js';
import {
  createInboxReader,
  type InboxEntriesDeps,
} from '../../../src/operate/monitoring/inbox/inbox-entries.js';
import { createInboxService } from '../../../src/operate/monitoring/inbox/inbox-service.js';
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

const depsOf = (changed: Partial<InboxEntriesDeps>): InboxEntriesDeps => ({
  database: { read: (work) => work({ rows: async () => [] } as never) },
  work: async () => ({ counts: [], countedAt: new Date() }),
  states: async () => new Map(),
  deadLetters: { groups: async () => ({ groups: [], complete: true }) },
  quotas: { usage: async () => [] },
  refusals: async () => [],
  nowMs: async () => 0,
  note: () => undefined,
  logger: { info: () => undefined } as never,
  ...changed,
});

/** A reader, and what ends each of its readings with a use of a quota. */
function reader(changed: Partial<InboxEntriesDeps> = {}) {
  const ends: ((used: number) => void)[] = [];
  const quotas: InboxEntriesDeps['quotas'] = {
    usage: () => new Promise((done) => ends.push((used) => done(quota(used)))),
  };
  return { ends, read: createInboxReader(depsOf({ quotas, ...changed })) };
}

/** A reading that a test ends itself: `ends` has one for each time that it began. */
function heldReading<Result>(result: () => Result) {
  const ends: (() => void)[] = [];
  return { ends, read: () => new Promise<Result>((done) => ends.push(() => done(result()))) };
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

test('one kind is read as it is now, for all', async () => {
  const { ends, read } = reader();
  const all = read.all(ACTOR);
  ends[0]!(81);
  await all;
  await jest.advanceTimersByTimeAsync(1_001);
  const now = read.kind(ACTOR, 'quota');
  ends[1]!(92);
  expect((await now).map(({ count }) => count)).toEqual([92]);
  const shared = usedIn(read.all(ACTOR));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await shared).toEqual([92]);
  expect(ends).toHaveLength(2);
});

test('those who ask for one kind share its reading, and what was read within a second', async () => {
  const { ends, read } = reader();
  const asked = Array.from({ length: 20 }, () => read.kind(ACTOR, 'quota'));
  ends[0]!(81);
  await Promise.all(asked);
  await read.kind(ACTOR, 'quota');
  expect(ends).toHaveLength(1);
});

test('those who ask for what is newer share the reading that begins after the one that is under way', async () => {
  const { ends, read } = reader();
  const all = read.all(ACTOR);
  const asked = Array.from({ length: 20 }, () => read.anew(ACTOR, 'quota'));
  await jest.advanceTimersByTimeAsync(100);
  expect(ends).toHaveLength(1);
  ends[0]!(81);
  await all;
  await jest.advanceTimersByTimeAsync(100);
  const later = read.anew(ACTOR, 'quota');
  await jest.advanceTimersByTimeAsync(100);
  expect(ends).toHaveLength(2);
  ends[1]!(92);
  for (const entries of await Promise.all(asked)) expect(entries.map(({ count }) => count)).toEqual([92]);
  await jest.advanceTimersByTimeAsync(100);
  ends[2]!(93);
  expect((await later).map(({ count }) => count)).toEqual([93]);
});

test('a change of an unknown entry reads its kind at most twice', async () => {
  const { ends, read } = heldReading(() => quota(81));
  const inbox = createInboxService(depsOf({ quotas: { usage: read } }));
  const check = expect(inbox.check(ACTOR, 'quota-stories-most', {})).rejects.toMatchObject({ status: 404 });
  for (const turn of [0, 1]) {
    await jest.advanceTimersByTimeAsync(1_600);
    ends[turn]!();
  }
  await check;
  expect(ends).toHaveLength(2);
});

test('of one kind that cannot be read in time, what is known for less than a minute is told', async () => {
  const { ends, read } = reader();
  const all = read.all(ACTOR);
  ends[0]!(81);
  await all;
  jest.advanceTimersByTime(30_000);
  const known = read.kind(ACTOR, 'quota');
  await jest.advanceTimersByTimeAsync(5_000);
  expect((await known).map(({ count }) => count)).toEqual([81]);
  jest.advanceTimersByTime(30_000);
  const refused = expect(read.kind(ACTOR, 'quota')).rejects.toMatchObject({ status: 503 });
  await jest.advanceTimersByTimeAsync(5_000);
  await refused;
  expect(ends).toHaveLength(2);
});

test('failures are noted as of when their reading began', async () => {
  const times: Date[] = [];
  const { ends, read: groups } = heldReading(() => ({ groups: [], complete: true }));
  const note: InboxEntriesDeps['note'] = (_actor, kind, { readAt }) => {
    if (kind === 'failures') times.push(readAt);
  };
  const { read } = reader({ deadLetters: { groups }, note });
  const began = new Date();
  const failures = read.kind(ACTOR, 'failures');
  await jest.advanceTimersByTimeAsync(3_000);
  ends[0]!();
  await failures;
  expect(times).toEqual([began]);
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
  const counting = heldReading(() => ({ counts: [], countedAt: new Date() }));
  const { ends, read } = reader({ work: counting.read });
  const readNow = async () => {
    const all = read.all(ACTOR);
    ends.at(-1)!(81);
    await jest.advanceTimersByTimeAsync(900);
    for (const end of counting.ends) end();
    await jest.advanceTimersByTimeAsync(1_100);
    await all;
  };
  await readNow();
  const before = counting.ends.length;
  await readNow();
  expect(counting.ends.length).toBeGreaterThan(before);
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
