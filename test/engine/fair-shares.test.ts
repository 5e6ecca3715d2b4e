import { once } from 'node:events';
import { createHeldJobReleaser } from '../../src/engine/dispatch/held-job-releaser.js';
import { createStoryConcurrency, NoSlot } from '../../src/engine/execute/slots/story-concurrency.js';
import { createEpoch } from '../../src/platform/mysql/schema/epoch.js';
import { countPending, holdDeliveries } from '../../src/engine/dispatch/held-store.js';
import { createDispatcher } from '../../src/engine/dispatch/adding/dispatcher.js';
import { createFairShares } from '../../src/engine/dispatch/fair-shares.js';
import { createAdmission } from '../../src/engine/dispatch/admission.js';
import { createQueues } from '../../src/engine/dispatch/queues.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { storeDeliveries } from '../support/deliveries.js';
import { useStores } from '../support/stores.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
const BOUNDS = { free: { story: 2, tenant: 5 }, most: { story: 10, tenant: 14 } };
const share = (storyId: number, tenantId = 1) => ({ queue: 'trigger' as const, storyId, tenantId });

const slotOf = (storyId: number, tenantId = storyId) => ({ storyId, tenantId });

const placesOf = (count: number, storyId: number, shares = createFairShares(BOUNDS), tenantId = 1) =>
  Array.from({ length: count }, () => shares.place(share(storyId, tenantId)));

describe('places', () => {
  it('of a few jobs are at once, of more behind those of others, and then not yet', () => {
    const shares = createFairShares(BOUNDS);
    const places = placesOf(12, 1, shares);
    expect(places.slice(0, 3)).toEqual([0, 0, 1]);
    expect(places.slice(10)).toEqual([undefined, undefined]);
    expect(placesOf(1, 3, shares, 2)).toEqual([0]);
  });

  it('are those of its own backlog for a story beside the flood of another one of its tenant', () => {
    const shares = createFairShares(BOUNDS);
    shares.recount([{ ...share(1), jobs: 1_000 }], 0);
    expect(placesOf(1, 1, shares)).toEqual([undefined]);
    expect(placesOf(4, 2, shares)).toEqual([0, 0, 1, 1]);
    expect(placesOf(2, 3, shares)).toEqual([0, 1]);
  });

  it('count all stories of a tenant together', () => {
    const shares = createFairShares(BOUNDS);
    const places = Array.from({ length: 16 }, (_, story) => shares.place(share(story)));
    expect(places.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(places.slice(14)).toEqual([undefined, undefined]);
  });

  it('are free again when the jobs are done', () => {
    const shares = createFairShares(BOUNDS);
    placesOf(11, 1, shares);
    shares.recount([{ ...share(1), jobs: 1 }], 0);
    expect(placesOf(2, 1, shares)).toEqual([0, 1]);
  });

  it('count what was placed after an older count was made', () => {
    const shares = createFairShares(BOUNDS);
    placesOf(3, 1, shares);
    shares.recount([{ ...share(1), jobs: 7 }], 60_000);
    expect(placesOf(1, 1, shares)).toEqual([undefined]);
  });
});

describe('slots', () => {
  it('are each story’s own, and come free again', async () => {
    const slots = createStoryConcurrency(2, 20);
    const release = await slots.take(slotOf(1));
    await slots.take(slotOf(1));
    await expect(slots.take(slotOf(1))).rejects.toThrow(NoSlot);
    await slots.take(slotOf(2));
    release();
    await slots.take(slotOf(1));
    await expect(slots.take(slotOf(1))).rejects.toThrow(NoSlot);
  });

  it('go to who has waited longest', async () => {
    const slots = createStoryConcurrency(1, 10_000);
    const order: number[] = [];
    const first = await slots.take(slotOf(1));
    const later = [1, 2, 3].map(async (n) => {
      const release = await slots.take(slotOf(1));
      order.push(n);
      release();
    });
    first();
    await Promise.all(later);
    expect(order).toEqual([1, 2, 3]);
  });

  describe('that come free at a pace', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('are waited for while one’s turn is near, and not when it is far', async () => {
      const slots = createStoryConcurrency(1, 100);
      const releases = [await slots.take(slotOf(1))];
      const ends: string[] = [];
      const waiters = ['a', 'b', 'c', 'd', 'e'].map((name) =>
        slots.take(slotOf(1)).then(
          (release) => void releases.push(release),
          () => void ends.push(name),
        ),
      );
      // One slot in a hundred milliseconds: the two that are next wait for it, the others are in the way.
      releases.pop()?.();
      await jest.advanceTimersByTimeAsync(100);
      expect(ends).toEqual(['d', 'e']);
      await jest.advanceTimersByTimeAsync(100);
      expect(ends).toEqual(['d', 'e', 'b', 'c']);
      await Promise.all(waiters);
    });
  });
});

async function world(bounds = BOUNDS, priority: number[] = []) {
  const { db, logger, redisUrl } = stores;
  const prefix = `${stores.queuePrefix}-${Math.random().toString(36).slice(2, 8)}`;
  const redis = createRedis({ redisUrl, redisTlsRejectUnauthorized: true }, 'producer', logger);
  if (redis.status !== 'ready') await once(redis, 'ready');
  const queues = createQueues({ redis, prefix, logger });
  stores.onClose(async () => {
    await queues.close();
    redis.disconnect();
  });
  const admission = createAdmission({
    shares: createFairShares(bounds),
    standingOf: (storyId) => Promise.resolve({ tenantId: storyId, priority: priority.includes(storyId) }),
    countJobs: async () => ({ counts: await db.read(countPending), ageMs: 0 }),
  });
  const hold = (jobs: Parameters<typeof holdDeliveries>[1]) =>
    db.read((session) => holdDeliveries(session, jobs));
  const dispatcher = createDispatcher({ queues, epoch: createEpoch(db), admission, hold, logger });
  const queue = queueNamed(queues, 'trigger');
  return {
    db,
    dispatcher,
    queue,
    heldJobReleaser: createHeldJobReleaser({ database: db, dispatcher, admission, logger }),
  };
}

async function deliveriesOf(storyId: number, count: number) {
  const rows = await storeDeliveries(stores.db, count);
  const ids = rows.map(({ id }) => id);
  await stores.sql('UPDATE deliveries SET story_id = ? WHERE id IN (?)', [storyId, ids]);
  return ids.map((deliveryId) => ({ queue: 'trigger' as const, storyId, deliveryId, generation: 0 }));
}

async function states(): Promise<Record<string, number>> {
  const rows = await stores.db.read((session) =>
    session.rows<{ state: string; n: number }>('SELECT state, COUNT(*) AS n FROM deliveries GROUP BY state'),
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

test('what a story has beyond its bound waits in MySQL, and gets its job as there is room', async () => {
  const { dispatcher, queue, heldJobReleaser } = await world();
  await dispatcher.add(await deliveriesOf(1, 25));
  expect(await queue.getJobCountByTypes('wait', 'prioritized')).toBe(10);
  expect(await states()).toEqual({ pending: 10, held: 15 });
  expect(await heldJobReleaser.tick()).toEqual({ held: 15, fed: 0 });
  // The ten are done.
  await stores.sql("DELETE FROM deliveries WHERE state = 'pending'");
  await queue.obliterate({ force: true });
  await expect(fedAtLast(heldJobReleaser)).resolves.toBe(10);
  expect(await states()).toEqual({ pending: 10, held: 5 });
});

/** The count of what is there is kept for half a second. */
async function fedAtLast(heldJobReleaser: { tick(): Promise<{ fed: number }> }): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const { fed } = await heldJobReleaser.tick();
    if (fed > 0) return fed;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return 0;
}

test('a story with little to do is taken before another’s backlog', async () => {
  const { dispatcher, queue } = await world();
  const flood = await deliveriesOf(1, 8);
  const quiet = await deliveriesOf(2, 1);
  await dispatcher.add(flood);
  await dispatcher.add(quiet);
  const waiting = await queue.getJobs(['wait']);
  expect(waiting.map(({ data }) => (data as { deliveryId: number }).deliveryId)).toContain(
    quiet[0]!.deliveryId,
  );
  expect(await queue.getJobCountByTypes('prioritized')).toBe(6);
});

test('held deliveries of two stories take turns', async () => {
  const { db, dispatcher, heldJobReleaser } = await world({ ...BOUNDS, most: { story: 1, tenant: 1 } });
  await dispatcher.add(await deliveriesOf(1, 600));
  await dispatcher.add(await deliveriesOf(2, 3));
  await stores.sql("DELETE FROM deliveries WHERE state = 'pending'");
  // A story has room for one: whatever is fed is one of each, however many of the first wait before the second's.
  const fed = await fedAtLast(heldJobReleaser);
  if (fed < 2) expect(await fedAtLast(heldJobReleaser)).toBe(1);
  const rows = await db.read((session) =>
    session.rows<{ story: number }>(
      "SELECT story_id AS story FROM deliveries WHERE state = 'pending' ORDER BY 1",
    ),
  );
  expect(rows.map(({ story }) => story)).toEqual([1, 2]);
});

test('a story that comes after another’s long backlog has its turn soon', async () => {
  const { db, dispatcher } = await world({ ...BOUNDS, most: { story: 1, tenant: 1 } });
  const [long, short] = [await deliveriesOf(1, 600), await deliveriesOf(2, 4)];
  await dispatcher.add([...long, ...short]);
  const held = await db.read((session) =>
    session.rows<{ story: number }>(
      "SELECT story_id AS story FROM deliveries WHERE state = 'held' ORDER BY due_at, id",
    ),
  );
  expect(held).toHaveLength(602);
  expect(held.slice(0, 20).filter(({ story }) => story === 2)).toHaveLength(3);
});

test('a priority story goes first', async () => {
  const { dispatcher, queue } = await world(BOUNDS, [2]);
  await dispatcher.add(await deliveriesOf(1, 2));
  const [urgent] = await deliveriesOf(2, 1);
  await dispatcher.add([urgent!]);
  const next = await queue.getJobs(['wait'], 0, -1, true);
  expect((next[0]!.data as { deliveryId: number }).deliveryId).toBe(urgent!.deliveryId);
});
