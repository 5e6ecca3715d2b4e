import type { Actor } from '../../../src/api/face.js';
import {
  createInboxReader,
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
  return { ends, read: createInboxReader(deps) };
}

const usedIn = async (reading: ReturnType<ReturnType<typeof createInboxReader>['all']>) =>
  (await reading).entries.map(({ count }) => count);

test('callers share what was read', async () => {
  const { ends, read } = reader();
  const first = read.all(ACTOR);
  expect(read.all(ACTOR)).toBe(first);
  ends[0]!(81);
  expect(await usedIn(first)).toEqual([81]);
  expect(read.all(ACTOR)).toBe(first);
});

test('one kind is read as it is now, and leaves what callers share', async () => {
  const { ends, read } = reader();
  const all = read.all(ACTOR);
  ends[0]!(81);
  await all;
  const now = read.kind(ACTOR, 'quota');
  ends[1]!(92);
  expect((await now).map(({ count }) => count)).toEqual([92]);
  expect(read.all(ACTOR)).toBe(all);
});
