import { Worker } from 'bullmq';
import { createDispatcher } from '../../../src/engine/dispatch/adding/dispatcher.js';
import { createJobLookup } from '../../../src/engine/dispatch/adding/job-lookup.js';
import { workerName } from '../../../src/engine/dispatch/figures/worker-names.js';
import { bullPrefix } from '../../../src/engine/dispatch/parts/queue-part.js';
import { createQueues } from '../../../src/engine/dispatch/queues.js';
import { createTakeOver, type TakeOver } from '../../../src/engine/recovery/take-over.js';
import { createWorkerBeats, type WorkerBeats } from '../../../src/engine/recovery/worker-beats.js';
import type { DeliveryJob } from '../../../src/engine/state/deliveries/delivery-job.js';
import type { DeliveryRow } from '../../../src/engine/state/deliveries/delivery-store.js';
import { createEpoch } from '../../../src/platform/mysql/schema/epoch.js';
import { createRedis } from '../../../src/platform/redis/redis.js';
import type { RedisClient } from '../../../src/platform/redis/redis-client.js';
import { allDeliveries, openPlacing, storeDeliveries } from '../../support/deliveries.js';
import { eventually } from '../../support/eventually.js';
import { queueNamed } from '../../support/queue-named.js';
import { recordingLogger } from '../../support/recording-logger.js';
import { useStores } from '../../support/stores.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

const stores = useStores();
const DEAD = 'host:1:dead';
const ALIVE = 'host:2:alive';
/** Has no connection, unlike the others. */
const GONE = 'host:4:gone';
const PATIENCE_MS = 30_000;
const BEAT_MS = 300;
let corners = 0;

const connect = (
  use: 'producer' | 'worker',
  { redisUrl = stores.redisUrl, name }: { redisUrl?: string | undefined; name?: string } = {},
): RedisClient => {
  const named = name === undefined ? {} : { connectionName: name };
  const redis = createRedis({ redisUrl, redisTlsRejectUnauthorized: true, ...named }, use, stores.logger);
  stores.onClose(() => redis.disconnect());
  return redis;
};

const noHold = () => Promise.reject(new Error('Nothing is to be held back here'));
const corner = () => `${stores.queuePrefix}-over-${(corners += 1)}`;
const beatsIn = (prefix: string) => stores.redis.hgetall(`${prefix}:worker-beats`);

/** A corner of Redis, in which workers hold on to what they take. */
async function build() {
  const { db, logger } = stores;
  const prefix = corner();
  const redis = connect('producer');
  const queues = createQueues({ redis, prefix, logger });
  stores.onClose(() => queues.close());
  await eventually(() => redis.status === 'ready');
  const epoch = createEpoch(db);
  const dispatcher = createDispatcher({ queues, epoch, logger, admission: openPlacing(), hold: noHold });
  const lookup = createJobLookup({ redis, queues, epoch });
  const queue = queueNamed(queues, 'trigger');
  return {
    redis,
    prefix,
    queue,
    takeOver: createTakeOver({ database: db, dispatcher, lookup, queues }),
    add: (rows: DeliveryRow[]) =>
      dispatcher.add(
        rows.map(({ id, storyId, generation }) => ({
          queue: 'trigger',
          storyId,
          deliveryId: id,
          generation,
        })),
      ),
    /** Lets a process take so many jobs, and keep them. */
    take: async (processId: string, count: number, name = workerName(count, processId)) => {
      const before = await queue.getActiveCount();
      const worker = new Worker('trigger', () => new Promise(() => undefined), {
        connection: connect('worker'),
        prefix: bullPrefix(prefix, { queue: 'trigger', part: 1 }),
        name,
        concurrency: count,
        skipStalledCheck: true,
      });
      stores.onClose(() => worker.close(true));
      await eventually(async () => (await queue.getActiveCount()) === before + count);
    },
    waiting: async () => (await queue.getWaiting()).map((job) => job.data as DeliveryJob),
  };
}

/** Makes deliveries as old as if they had been pending for so many seconds. */
const age = (seconds: number) =>
  stores.sql('UPDATE deliveries SET due_at = NOW(3) + INTERVAL ? SECOND', [30 - seconds]);

describe('who takes over from a process', () => {
  test('gives on what that one had in hand, before all that wait, and nothing of others', async () => {
    const { add, take, takeOver, waiting } = await build();
    const rows = await storeDeliveries(stores.db, 5);
    const [first, second, third, fourth, last] = rows;
    await add([first!, second!]);
    await take(DEAD, 2);
    await add([third!]);
    await take(ALIVE, 1);
    await add([fourth!, last!]);
    expect(await takeOver(DEAD)).toEqual({ jobs: 2, missing: 0 });
    const jobs = await waiting();
    const given = jobs.slice(0, 2).toSorted((a, b) => a.deliveryId - b.deliveryId);
    expect([...given, ...jobs.slice(2)]).toEqual([
      { deliveryId: first!.id, generation: 1, deaths: 1 },
      { deliveryId: second!.id, generation: 1, deaths: 1 },
      { deliveryId: fourth!.id, generation: 0 },
      { deliveryId: last!.id, generation: 0 },
    ]);
    expect(await allDeliveries(stores.db)).toMatchObject(
      [1, 1, 0, 0, 0].map((generation) => ({ state: 'pending', generation, losses: 0 })),
    );
  });

  test('counts each process that died of a delivery, those that BullMQ has noticed too', async () => {
    const { add, take, takeOver, waiting, queue, redis } = await build();
    const [row] = await storeDeliveries(stores.db, 1);
    await add([row!]);
    await take(DEAD, 1);
    const [job] = await queue.getActive();
    await redis.hset(queue.toKey(job!.id!), 'stc', 1);
    await takeOver(DEAD);
    expect(await waiting()).toEqual([{ deliveryId: row!.id, generation: 1, deaths: 2 }]);
    await take('host:3:next', 1);
    await takeOver('host:3:next');
    expect(await waiting()).toEqual([{ deliveryId: row!.id, generation: 2, deaths: 3 }]);
  });

  test('finds the deliveries whose jobs that one did not add, and leaves those that have some', async () => {
    const { add, takeOver, waiting } = await build();
    const rows = await storeDeliveries(stores.db, 700);
    const placed = rows.filter((_row, index) => index % 7 === 0);
    await add(placed);
    await age(3);
    expect(await takeOver(DEAD)).toEqual({ jobs: 0, missing: 600 });
    const expected = rows.map(({ id }, index) => `${id}-${index % 7 === 0 ? 0 : 1}`);
    const jobs = (await waiting()).map(({ deliveryId, generation }) => `${deliveryId}-${generation}`);
    expect(jobs.toSorted()).toEqual(expected.toSorted());
  });

  test('leaves what is so young that its job may be on its way, and what is the relay’s', async () => {
    const { takeOver, waiting } = await build();
    await storeDeliveries(stores.db, 2);
    await age(31);
    const fresh = await storeDeliveries(stores.db, 2);
    await stores.sql('UPDATE deliveries SET due_at = NOW(3) + INTERVAL 30 SECOND WHERE id >= ?', [
      fresh[0]!.id,
    ]);
    expect(await takeOver(DEAD)).toEqual({ jobs: 0, missing: 0 });
    expect(await waiting()).toEqual([]);
  });

  test('leaves the jobs of a worker of an older version, whose name tells no process', async () => {
    const { add, take, takeOver, waiting } = await build();
    await add(await storeDeliveries(stores.db, 1));
    await take('', 1, 'jobs-1');
    expect(await takeOver(DEAD)).toEqual({ jobs: 0, missing: 0 });
    expect(await takeOver('')).toEqual({ jobs: 0, missing: 0 });
    expect(await waiting()).toEqual([]);
  });

  test('does nothing to a delivery that has moved on, or that another gave on at the same time', async () => {
    const { add, take, takeOver, waiting } = await build();
    const rows = await storeDeliveries(stores.db, 4);
    await add(rows);
    await take(DEAD, 4);
    const [done, later, ...others] = rows;
    await stores.sql('DELETE FROM deliveries WHERE id = ?', [done!.id]);
    await stores.sql("UPDATE deliveries SET state = 'waiting', generation = 1 WHERE id = ?", [later!.id]);
    await Promise.all([takeOver(DEAD), takeOver(DEAD)]);
    expect((await waiting()).toSorted((a, b) => a.deliveryId - b.deliveryId)).toEqual(
      others.map(({ id }) => ({ deliveryId: id, generation: 1, deaths: 1 })),
    );
    expect(await allDeliveries(stores.db)).toMatchObject([
      { state: 'waiting', generation: 1 },
      { state: 'pending', generation: 1 },
      { state: 'pending', generation: 1 },
    ]);
  });
});

/** Opens a connection such as a worker of the process has. */
async function connectAs(processId: string): Promise<void> {
  const connection = connect('producer', {
    name: `{corner-trigger}:dHJpZ2dlcg==:w:${workerName(1, processId)}`,
  });
  await eventually(() => connection.status === 'ready');
}

/** A process that only watches, or works. */
async function watcher(
  prefix: string,
  options: { isWorking?: boolean; takeOver?: TakeOver; redisUrl?: string } = {},
) {
  const taken: string[] = [];
  const log = recordingLogger();
  const beats = createWorkerBeats({
    redis: connect('producer', { redisUrl: options.redisUrl }),
    prefix,
    isWorking: () => options.isWorking ?? false,
    takeOver:
      options.takeOver ??
      ((processId) => {
        taken.push(processId);
        return Promise.resolve({ jobs: 1, missing: 0 });
      }),
    logger: log.logger,
    beatMs: BEAT_MS,
  });
  await connectAs(beats.processId);
  return { beats, taken, lines: () => log.lines(), ...running(beats) };
}

function running(beats: WorkerBeats) {
  const leaving = new AbortController();
  const run = beats.run(leaving.signal);
  const leave = async () => {
    leaving.abort();
    await run;
  };
  stores.onClose(leave);
  return { leave };
}

describe('processes that watch each other', () => {
  test('take over from one that gives no beats once, however many they are', async () => {
    const prefix = corner();
    await stores.redis.hset(`${prefix}:worker-beats`, GONE, 7);
    const watchers = await Promise.all([watcher(prefix), watcher(prefix), watcher(prefix)]);
    const all = () => watchers.flatMap(({ taken }) => taken);
    await eventually(() => all().length > 0);
    await eventually(async () => Object.keys(await beatsIn(prefix)).length === 0);
    expect(all()).toEqual([GONE]);
  });

  test('give beats while they work, and none without work, or after their end in good order', async () => {
    const prefix = corner();
    const busy = await watcher(prefix, { isWorking: true });
    const idle = await watcher(prefix);
    const idBusy = busy.beats.processId;
    await eventually(async () => Number((await beatsIn(prefix))[idBusy]) > 5);
    expect(Object.keys(await beatsIn(prefix))).toEqual([idBusy]);
    // A job that kills its process at once is missed all the same.
    idle.beats.took();
    await eventually(async () => Object.keys(await beatsIn(prefix)).length === 2);
    await busy.leave();
    await eventually(async () => Object.keys(await beatsIn(prefix)).length === 0, PATIENCE_MS);
    expect([...busy.taken, ...idle.taken]).toEqual([]);
  });

  test('do not miss each other when Redis was out of reach', async () => {
    const prefix = corner();
    const proxy = await startTcpProxy(stores.redisUrl);
    stores.onClose(() => proxy.close());
    const two = await Promise.all(
      [0, 1].map(() => watcher(prefix, { isWorking: true, redisUrl: proxy.url })),
    );
    const counts = async () => Object.values(await beatsIn(prefix)).map(Number);
    await eventually(async () => (await counts()).filter((count) => count > 2).length === 2);
    proxy.cut();
    const failed = () =>
      two.map(({ lines }) => lines().filter(({ message }) => String(message).includes('no beat')).length);
    await eventually(() => Math.min(...failed()) > 3);
    const [before] = await counts();
    proxy.restore();
    await eventually(async () => Math.min(...(await counts())) > before! + 3);
    expect(two.flatMap(({ taken }) => taken)).toEqual([]);
  });

  test('take over later from one that is still connected: it may only stand still', async () => {
    const prefix = corner();
    const STILL = 'host:3:still';
    await connectAs(STILL);
    // Redis lists them in this order.
    await stores.redis.hset(`${prefix}:worker-beats`, { [STILL]: 7, [GONE]: 7 });
    const { taken } = await watcher(prefix);
    await eventually(() => taken.length === 2, PATIENCE_MS);
    expect(taken).toEqual([GONE, STILL]);
  });

  test('leave it to another if one of them cannot give the jobs on', async () => {
    const prefix = corner();
    await stores.redis.hset(`${prefix}:worker-beats`, GONE, 7);
    const unable = await watcher(prefix, { takeOver: () => Promise.reject(new Error('no database')) });
    await eventually(() => unable.lines().some(({ message }) => String(message).includes('must wait')));
    await unable.leave();
    const able = await watcher(prefix);
    await eventually(() => able.taken.length === 1);
    expect(able.taken).toEqual([GONE]);
    expect(await beatsIn(prefix)).toEqual({});
  });
});
