import { createSharedCounts, type JobCount } from '../../src/engine/dispatch/figures/shared-counts.js';
import { countPending } from '../../src/engine/dispatch/held-store.js';
import { storeDeliveries } from '../support/deliveries.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const COUNTS: JobCount[] = [{ queue: 'trigger', storyId: 7, jobs: 300 }];
const away = () => Promise.reject(new Error('away'));
let named = 0;

afterEach(() => jest.restoreAllMocks());

/** Processes that share their counts, and how often each has counted. */
function processes(number: number, count: () => Promise<JobCount[]> = () => Promise.resolve(COUNTS)) {
  const prefix = `${stores.queuePrefix}-${++named}`;
  const counted = Array.from({ length: number }, () => 0);
  const ask = counted.map((_, index) =>
    createSharedCounts({
      redis: stores.redis,
      prefix,
      logger: stores.logger,
      count: () => {
        counted[index]! += 1;
        return count();
      },
    }),
  );
  return { ask, counted };
}

test('one process counts, and the others have its count with its age', async () => {
  // A count serves twenty times as long as it took. By this clock it took a minute: it serves for the rest of the test.
  const now = performance.now.bind(performance);
  let passedMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  const { ask, counted } = processes(2, async () => {
    passedMs += 60_000;
    return COUNTS;
  });
  expect((await ask[0]!())?.counts).toEqual(COUNTS);
  const shared = await ask[1]!();
  expect(shared?.counts).toEqual(COUNTS);
  expect(shared?.ageMs).toBeGreaterThanOrEqual(0);
  expect(counted).toEqual([1, 0]);
});

test('while one process counts, another has to do without', async () => {
  let finish: ((counts: JobCount[]) => void) | undefined;
  const { ask, counted } = processes(2, () => new Promise((resolve) => (finish = resolve)));
  const counting = ask[0]!();
  while (counted[0] === 0) await new Promise(setImmediate);
  expect(await ask[1]!()).toBeUndefined();
  finish?.(COUNTS);
  expect((await counting)?.counts).toEqual(COUNTS);
  expect(counted).toEqual([1, 0]);
});

test('a count that fails leaves the next one to anybody', async () => {
  let fails = true;
  const { ask, counted } = processes(2, () =>
    fails ? Promise.reject(new Error('away')) : Promise.resolve(COUNTS),
  );
  await expect(ask[0]!()).rejects.toThrow('away');
  fails = false;
  expect((await ask[1]!())?.counts).toEqual(COUNTS);
  expect(counted).toEqual([1, 1]);
});

test('without Redis each process counts for itself', async () => {
  const redis = {
    set: away,
    del: away,
    pipeline: () => stores.redis.pipeline().call('NO-SUCH-COMMAND').call('NO'),
  };
  const ask = createSharedCounts({
    redis,
    prefix: stores.queuePrefix,
    logger: stores.logger,
    count: () => Promise.resolve(COUNTS),
  });
  expect(await ask()).toEqual({ counts: COUNTS, ageMs: expect.any(Number) });
});

test('deliveries are counted by queue and story, and the groups are not sorted', async () => {
  const [one] = await storeDeliveries(stores.db, 3);
  const counts = await stores.db.read(countPending);
  expect(counts.find(({ storyId }) => storyId === one!.storyId)).toMatchObject({ queue: one!.queue });
  const plan = await stores.db.read((session) =>
    session.rows<{ Extra: string | null }>(
      `EXPLAIN SELECT queue, story_id AS storyId, COUNT(*) AS jobs FROM deliveries
       WHERE state = 'pending' GROUP BY queue, story_id ORDER BY NULL`,
    ),
  );
  expect(plan.map(({ Extra }) => Extra ?? '').join()).not.toContain('filesort');
});
