import { DelayedError, type Processor, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { createEpoch } from '../../src/platform/mysql/schema/epoch.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { createRedisLossDetector } from '../../src/engine/recovery/redis-loss-detector.js';
import { createRelay } from '../../src/engine/recovery/relay.js';
import {
  type DueDelivery,
  nextGeneration,
  postpone,
  setAside,
} from '../../src/engine/recovery/relay-store.js';
import { type DeliveryRow, GRACE_SECONDS } from '../../src/engine/state/deliveries/delivery-store.js';
import { createDispatcher } from '../../src/engine/dispatch/adding/dispatcher.js';
import { createJobLookup } from '../../src/engine/dispatch/adding/job-lookup.js';
import { createQueues } from '../../src/engine/dispatch/queues.js';
import { bullPrefix } from '../../src/engine/dispatch/parts/queue-part.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { allDeliveries, openPlacing, storeDeliveries } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
const PATIENCE_MS = 30_000;
let corners = 0;

/** A relay with a corner of Redis of its own, and no workers. */
const noHold = () => Promise.reject(new Error('Nothing is to be held back here'));

async function buildRelay() {
  const { db, logger, redisUrl } = stores;
  corners += 1;
  const prefix = `${stores.queuePrefix}-${corners}`;
  // Beside other tests Redis may take longer than the second that a producer gives it.
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1, commandTimeout: PATIENCE_MS });
  const queues = createQueues({ redis, prefix, logger });
  stores.onClose(async () => {
    await queues.close();
    redis.disconnect();
  });
  await eventually(() => redis.status === 'ready');
  const epoch = createEpoch(db);
  const dispatcher = createDispatcher({ queues, epoch, logger, admission: openPlacing(), hold: noHold });
  const lookup = createJobLookup({ redis, queues, epoch });
  const lossDetector = createRedisLossDetector({ redis, prefix, queues, epoch, logger });
  const create = () => createRelay({ database: db, dispatcher, lookup, lossDetector, logger });
  await lossDetector.setUp(await lossDetector.beginWalk());
  const queue = queueNamed(queues, 'trigger');
  const work = async (process: Processor) => {
    const connection = createRedis({ redisUrl, redisTlsRejectUnauthorized: true }, 'worker', logger);
    const worker = new Worker('trigger', process, {
      connection,
      prefix: bullPrefix(prefix, { queue: 'trigger', part: 1 }),
    });
    await eventually(
      async () =>
        (await queue.getJobCounts('wait', 'active', 'prioritized'))['wait'] === 0 &&
        (await queue.getActiveCount()) === 0,
    );
    await worker.close();
    connection.disconnect();
  };
  return {
    relay: create(),
    create,
    queue,
    lossDetector,
    addJobs: (rows: DeliveryRow[]) =>
      dispatcher.add(
        rows.map(({ id, storyId, generation }) => ({
          queue: 'trigger',
          storyId,
          deliveryId: id,
          generation,
        })),
      ),
    jobs: async () =>
      (await queue.getJobs(['wait', 'active'])).map(
        (job) => job.data as { deliveryId: number; generation: number },
      ),
    /** Has a worker take all waiting jobs and end them without an outcome. */
    finishJobs: () => work(() => Promise.resolve('nothing')),
    /** Has a worker whose clock is ahead hand back all waiting jobs. It looks at its clock once, before it waits. */
    handBackJobs: (restMs: number, aheadMs: number) =>
      work(async (job, token) => {
        const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + aheadMs);
        const moved = job.moveToDelayed(Date.now() + restMs, token);
        clock.mockRestore();
        await moved;
        throw new DelayedError();
      }),
    wipe: async () => {
      for await (const keys of stores.redis.scanStream({ match: `*${prefix}*` })) {
        if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
      }
    },
  };
}

const makeDue = () => stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');

describe('a delivery that is due', () => {
  test('and has no job gets one, of the next generation, and another half a minute', async () => {
    const { relay, jobs } = await buildRelay();
    const [row] = await storeDeliveries(stores.db, 1);
    await makeDue();
    expect(await relay.tick()).toBe(1);
    expect(await jobs()).toEqual([{ deliveryId: row!.id, generation: 1 }]);
    const [stored] = await allDeliveries(stores.db);
    expect(stored).toMatchObject({ state: 'pending', generation: 1, attempts: 0, losses: 0 });
    expect(stored!.dueInMs).toBeGreaterThan(25_000);
  });

  test('is left alone before its time', async () => {
    const { relay, jobs } = await buildRelay();
    await storeDeliveries(stores.db, 1);
    expect(await relay.tick()).toBe(0);
    expect(await jobs()).toEqual([]);
  });

  test.each([
    { age: 0, from: 25, to: 30 },
    { age: 600, from: 590, to: 605 },
    { age: 100_000, from: 3_590, to: 3_600 },
  ])(
    'and whose job waits is looked for again later, the older the later ($age s)',
    async ({ age, from, to }) => {
      const { relay, jobs, addJobs } = await buildRelay();
      const rows = await storeDeliveries(stores.db, 1);
      await addJobs(rows);
      await stores.sql('UPDATE deliveries SET created_at = NOW(3) - INTERVAL ? SECOND', [age]);
      await makeDue();
      await relay.tick();
      expect(await jobs()).toEqual([{ deliveryId: rows[0]!.id, generation: 0 }]);
      const [stored] = await allDeliveries(stores.db);
      expect(stored).toMatchObject({ generation: 0, losses: 0 });
      expect(stored!.dueInMs).toBeGreaterThan(from * 1000);
      expect(stored!.dueInMs).toBeLessThanOrEqual(to * 1000);
    },
  );

  test('and whose job rests for too long, as a clock was ahead, has it woken; a longer rest is kept', async () => {
    const { relay, jobs, addJobs, handBackJobs, queue } = await buildRelay();
    const [short, long] = await storeDeliveries(stores.db, 2);
    await addJobs([short!]);
    await handBackJobs(500, 5 * 60_000);
    await addJobs([long!]);
    await handBackJobs(60_000, 0);
    expect(await queue.getDelayedCount()).toBe(2);
    await makeDue();
    await relay.tick();
    expect(await jobs()).toEqual([{ deliveryId: short!.id, generation: 0 }]);
    expect(await queue.getDelayedCount()).toBe(1);
    expect(await allDeliveries(stores.db)).toMatchObject([{ losses: 0 }, { losses: 0 }]);
  });

  test('and whose job ended without an outcome gets another, which is counted, and is set aside at the tenth', async () => {
    const { relay, jobs, addJobs, finishJobs } = await buildRelay();
    const rows = await storeDeliveries(stores.db, 1);
    await addJobs(rows);
    await finishJobs();
    await makeDue();
    await relay.tick();
    expect(await jobs()).toEqual([{ deliveryId: rows[0]!.id, generation: 1 }]);
    expect(await allDeliveries(stores.db)).toMatchObject([{ state: 'pending', generation: 1, losses: 1 }]);

    await stores.sql('UPDATE deliveries SET losses = 8');
    await finishJobs();
    await makeDue();
    await relay.tick();
    expect(await allDeliveries(stores.db)).toMatchObject([{ state: 'pending', generation: 2, losses: 9 }]);
    await finishJobs();
    await makeDue();
    await relay.tick();
    expect(await jobs()).toEqual([]);
    expect(await allDeliveries(stores.db)).toMatchObject([
      {
        state: 'failed',
        generation: 3,
        losses: 10,
        failed: 1,
        error: expect.stringContaining('again and again') as string,
      },
    ]);
    await makeDue();
    expect(await relay.tick()).toBe(0);
  });

  test('gets one job of one generation, however many relays look at once', async () => {
    const { create, jobs, addJobs } = await buildRelay();
    const rows = await storeDeliveries(stores.db, 700);
    const live = rows.filter((_row, index) => index % 7 === 0);
    await addJobs(live);
    await makeDue();
    const relays = Array.from({ length: 4 }, create);
    await eventually(async () => {
      const found = await Promise.all(relays.map((relay) => relay.tick()));
      return found.every((count) => count === 0);
    });
    const expected = rows.map(({ id }, index) => `${id}-${index % 7 === 0 ? 0 : 1}`);
    const added = (await jobs()).map(({ deliveryId, generation }) => `${deliveryId}-${generation}`);
    expect(added.toSorted()).toEqual(expected.toSorted());
  });
});

describe('what the relay has learnt too late', () => {
  const actions: Record<string, (session: Session, rows: DueDelivery[]) => Promise<unknown>> = {
    'another job': (session, rows) => nextGeneration(session, rows, new Set()),
    'the dead letters': setAside,
    'a later time': postpone,
  };

  test.each(Object.entries(actions))(
    'leads to nothing for a delivery that has moved on: %s',
    async (_what, action) => {
      const [row] = await storeDeliveries(stores.db, 1);
      const known: DueDelivery = {
        id: row!.id,
        queue: 'trigger',
        storyId: 1,
        state: 'pending',
        generation: 0,
        losses: 0,
      };
      await stores.sql(
        "UPDATE deliveries SET state = 'waiting', generation = 1, due_at = NOW(3) + INTERVAL 1 HOUR",
      );
      const moved = await stores.db.transaction((session) => action(session, [known]));
      expect(moved ?? new Set()).toEqual(new Set());
      const [stored] = await allDeliveries(stores.db);
      expect(stored).toMatchObject({ state: 'waiting', generation: 1, losses: 0, failed: 0 });
      expect(stored!.dueInMs).toBeGreaterThan(3_500_000);
    },
  );
});

test('a delivery that waits is woken at its time by the database clock, and never before', async () => {
  const { relay, jobs } = await buildRelay();
  const [row] = await storeDeliveries(stores.db, 1);
  await stores.sql(
    "UPDATE deliveries SET state = 'waiting', generation = 1, due_at = NOW(3) + INTERVAL 700000 MICROSECOND",
  );
  const dueAt = async () => {
    const [stored] = await stores.db.read((session) =>
      session.rows<{ seconds: string }>('SELECT UNIX_TIMESTAMP(due_at) AS seconds FROM deliveries'),
    );
    return Number(stored!.seconds);
  };
  const wakeAt = await dueAt();
  await eventually(async () => {
    await relay.tick();
    const [stored] = await allDeliveries(stores.db);
    return stored!.state !== 'waiting';
  });
  expect(await jobs()).toEqual([{ deliveryId: row!.id, generation: 2 }]);
  expect(await allDeliveries(stores.db)).toMatchObject([{ state: 'pending', generation: 2 }]);
  // The half minute that it has now began when it was woken.
  const wokenAt = (await dueAt()) - GRACE_SECONDS;
  expect(wokenAt).toBeGreaterThanOrEqual(wakeAt);
  expect(wokenAt).toBeLessThan(wakeAt + GRACE_SECONDS);
});

/** As they are when they have waited for a while, and their jobs were seen. */
const age = () =>
  stores.sql(
    'UPDATE deliveries SET created_at = NOW(3) - INTERVAL 20 SECOND, due_at = NOW(3) + INTERVAL 1 HOUR',
  );

describe('when Redis has lost what it held', () => {
  test('all pending deliveries get jobs at once, however far off their time to be looked for', async () => {
    const { relay, jobs, addJobs, wipe, lossDetector } = await buildRelay();
    const rows = await storeDeliveries(stores.db, 1200);
    await addJobs(rows);
    await age();
    await relay.tick();
    expect((await jobs()).every(({ generation }) => generation === 0)).toBe(true);
    await wipe();
    await relay.tick();
    const added = (await jobs()).map(({ deliveryId, generation }) => `${deliveryId}-${generation}`);
    expect(added.toSorted()).toEqual(rows.map(({ id }) => `${id}-1`).toSorted());
    expect(await lossDetector.redisWasLost()).toBe(false);
    await relay.tick();
    expect(await jobs()).toHaveLength(1200);
  });

  test('those whose job came after the loss keep it, and waiting and dead ones stay as they are', async () => {
    const { relay, jobs, addJobs, wipe } = await buildRelay();
    const [lost, kept, asleep, dead] = await storeDeliveries(stores.db, 4);
    await age();
    await stores.sql("UPDATE deliveries SET state = 'waiting' WHERE id = ?", [asleep!.id]);
    await stores.sql("UPDATE deliveries SET state = 'failed', failed_at = NOW(3) WHERE id = ?", [dead!.id]);
    await wipe();
    await addJobs([kept!]);
    await relay.tick();
    expect((await jobs()).toSorted((a, b) => a.deliveryId - b.deliveryId)).toEqual([
      { deliveryId: lost!.id, generation: 1 },
      { deliveryId: kept!.id, generation: 0 },
    ]);
    expect((await allDeliveries(stores.db)).map(({ state }) => state)).toEqual([
      'pending',
      'pending',
      'waiting',
      'failed',
    ]);
  });

  test('a walk that breaks off is made again', async () => {
    const { jobs, wipe, create } = await buildRelay();
    const rows = await storeDeliveries(stores.db, 600);
    await age();
    await wipe();
    const relay = create();
    const transaction = stores.db.transaction.bind(stores.db);
    let calls = 0;
    const broken = jest.spyOn(stores.db, 'transaction').mockImplementation(async (work) => {
      calls += 1;
      if (calls === 2)
        throw Object.assign(new Error('Connection lost'), { code: 'PROTOCOL_CONNECTION_LOST' });
      return transaction(work) as Promise<never>;
    });
    await expect(relay.tick()).rejects.toThrow('Connection lost');
    broken.mockRestore();
    await relay.tick();
    expect(new Set((await jobs()).map(({ deliveryId }) => deliveryId)).size).toBe(rows.length);
    expect(await jobs()).toHaveLength(rows.length);
  });

  test('a walk that is to stop does so after the batch under way, and another process makes it again', async () => {
    const { jobs, wipe, create, lossDetector } = await buildRelay();
    const rows = await storeDeliveries(stores.db, 1_200);
    await age();
    await wipe();
    const stopping = new AbortController();
    const transaction = stores.db.transaction.bind(stores.db);
    const watched = jest.spyOn(stores.db, 'transaction').mockImplementation((work) => {
      stopping.abort();
      return transaction(work) as Promise<never>;
    });
    await create().tick(stopping.signal);
    watched.mockRestore();
    expect(await jobs()).toHaveLength(500);
    expect(await lossDetector.redisWasLost()).toBe(true);
    await create().tick();
    expect(new Set((await jobs()).map(({ deliveryId }) => deliveryId)).size).toBe(rows.length);
  });

  test('a walk during which it was lost once more is made again', async () => {
    const { jobs, addJobs, wipe, create, lossDetector } = await buildRelay();
    const rows = await storeDeliveries(stores.db, 600);
    await age();
    await wipe();
    // The first half has its jobs, as after a restart that lost only the last of them.
    await addJobs(rows.slice(0, 500));
    const transaction = stores.db.transaction.bind(stores.db);
    let batches = 0;
    const watched = jest.spyOn(stores.db, 'transaction').mockImplementation(async (work) => {
      batches += 1;
      if (batches === 2) await wipe();
      return transaction(work) as Promise<never>;
    });
    await create().tick();
    watched.mockRestore();
    expect(await jobs()).toHaveLength(100);
    expect(await lossDetector.redisWasLost()).toBe(true);
    await create().tick();
    expect(new Set((await jobs()).map(({ deliveryId }) => deliveryId)).size).toBe(rows.length);
    expect(await lossDetector.redisWasLost()).toBe(false);
  });

  test('who walks beside another leaves what that one has noted, and one is enough', async () => {
    const { lossDetector, wipe } = await buildRelay();
    await wipe();
    const [one, two] = [await lossDetector.beginWalk(), await lossDetector.beginWalk()];
    expect(await lossDetector.redisWasLost()).toBe(true);
    await lossDetector.setUp(one);
    expect(await lossDetector.redisWasLost()).toBe(false);
    const late = await lossDetector.beginWalk();
    expect(await lossDetector.redisWasLost()).toBe(false);
    await wipe();
    await lossDetector.setUp(two);
    await lossDetector.setUp(late);
    expect(await lossDetector.redisWasLost()).toBe(true);
  });

  test('another run of the same server counts as a loss too', async () => {
    const { lossDetector } = await buildRelay();
    expect(await lossDetector.redisWasLost()).toBe(false);
    const [key] = await stores.redis.keys(`${stores.queuePrefix}-${corners}:sentinel:*`);
    await stores.redis.set(key!, 'the run before');
    expect(await lossDetector.redisWasLost()).toBe(true);
  });
});
