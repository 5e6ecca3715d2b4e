import type { SpoolQuota } from '../../src/engine/accept/spool-quota.js';
import { createOutageSpool } from '../../src/engine/accept/outage-spool.js';
import { Unavailable } from '../../src/platform/errors.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { SPOOL_QUEUE, type SpooledRun } from '../../src/engine/dispatch/jobs.js';
import { createQueueWorkers } from '../../src/app/worker/queue-workers.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere } from '../support/fabula-here.js';
import { useStores } from '../support/stores.js';
import { NO_REPLICAS } from '../support/no-replicas.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', fatal: true });
const run = (overrides: Partial<RunStart> = {}): RunStart =>
  ({
    story: { id: 1 },
    agent: { id: 2 },
    payload: { n: 1 },
    source: 'webhook',
    guid: 'g',
    ...overrides,
  }) as RunStart;

/** A spool whose room says what it is told. */
function build(take: SpoolQuota['take'], reason: unknown = away) {
  const added: unknown[] = [];
  const add = async (_name: string, data: unknown, options: unknown) => {
    added.push({ data, options });
    return undefined as never;
  };
  const starter = createOutageSpool({
    writer: { start: () => Promise.reject(reason) },
    queue: { add: add },
    room: { take },
    copies: NO_REPLICAS,
    logger: createSilentLogger(),
  });
  return { starter, added };
}

const room = (taken: boolean) => () => Promise.resolve({ taken, heldBytes: 1, limitBytes: 2 });

test('a spool that is full refuses, and so does one that cannot tell', async () => {
  const free = build(room(true));
  expect(await free.starter.start(run())).toEqual({ eventId: undefined });
  expect(free.added).toMatchObject([{ data: { guid: 'g', storyId: 1, agentId: 2, payload: '{"n":1}' } }]);

  const full = build(room(false));
  await expect(full.starter.start(run())).rejects.toThrow(Unavailable);
  const silent = build(() => Promise.reject(new Error('Command timed out')));
  await expect(silent.starter.start(run())).rejects.toThrow(Unavailable);
  expect([...full.added, ...silent.added]).toEqual([]);
});

test('what somebody waits for, and what MySQL refuses is not spooled', async () => {
  const { starter, added } = build(room(true));
  await expect(starter.start(run({ awaited: true }))).rejects.toBe(away);
  const busy = new Unavailable('Too much is waiting to be stored');
  const shedding = build(room(true), busy);
  await expect(shedding.starter.start(run())).rejects.toBe(busy);
  expect([...added, ...shedding.added]).toEqual([]);
});

test('what is large does not stay in Redis when it is done, what is small does for a while', async () => {
  const { starter, added } = build(room(true));
  await starter.start(run());
  await starter.start(run({ payload: 'x'.repeat(4_096) }));
  expect(added).toMatchObject([{ options: { jobId: 'run-g' } }, { options: { removeOnComplete: true } }]);
  expect(added[0]).not.toHaveProperty('options.removeOnComplete');
});

/** A spool of `count` runs whose drain is `drain`; returns what stops its worker. */
async function drainSpool(count: number, drain: (run: SpooledRun) => Promise<void>) {
  const fabula = await startFabulaHere(stores, { queues: [], relay: false });
  const spool = queueNamed(fabula.web.core.queues, SPOOL_QUEUE);
  await eventually(() => fabula.web.core.redis.status === 'ready');
  const guids = Array.from({ length: count }, (_, index) => `g${index}`);
  await spool.addBulk(guids.map((guid) => ({ name: 'run', data: { guid }, opts: { jobId: `run-${guid}` } })));
  const drainSpooledRun = async (spooled: SpooledRun) => {
    await drain(spooled);
    return { storyRunGuid: spooled.guid };
  };
  const start = () => createQueueWorkers([SPOOL_QUEUE], { ...fabula.workers, drainSpooledRun });
  return { guids, start, close: () => fabula.close() };
}

test('the spool is drained a few events at a time, in the order in which they came', async () => {
  const begun: string[] = [];
  let under = 0;
  let most = 0;
  const { guids, start, close } = await drainSpool(40, async ({ guid }) => {
    begun.push(guid);
    most = Math.max(most, (under += 1));
    // As long as it takes to store one.
    for (let look = 0; look < 3; look++) await stores.db.ping();
    under -= 1;
  });
  const worker = start();
  await eventually(() => begun.length === guids.length && under === 0);
  await worker.close(10_000);
  await close();
  expect(begun).toEqual(guids);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
});

test('a worker that ends while the database is away puts what it took back in its order', async () => {
  let isAway = true;
  const begun: string[] = [];
  const { guids, start, close } = await drainSpool(20, async ({ guid }) => {
    begun.push(guid);
    if (isAway) await new Promise(() => undefined);
  });
  const first = start();
  await eventually(() => begun.length === 16);
  await first.close(10_000);
  isAway = false;
  begun.length = 0;
  const second = start();
  await eventually(() => begun.length === guids.length);
  await second.close(10_000);
  await close();
  expect(begun).toEqual(guids);
});

test('an accepted event that cannot be drained stays among the failed jobs, however many they are', async () => {
  const fabula = await startFabulaHere(stores, { queues: [], relay: false });
  const spool = queueNamed(fabula.web.core.queues, SPOOL_QUEUE);
  await eventually(() => fabula.web.core.redis.status === 'ready');
  const failed = Array.from({ length: 20_000 }, (_, index) => [Date.now() - index, `run-${index}`]);
  await stores.redis.zadd(spool.toKey('failed'), ...failed.flat());
  await spool.add('run', { guid: 'g', storyId: 1, agentId: 2, source: 'webhook', payload: '{}' });
  const worker = createQueueWorkers([SPOOL_QUEUE], fabula.workers);
  await eventually(async () => (await spool.getWaitingCount()) + (await spool.getActiveCount()) === 0);
  await worker.close(10_000);
  expect(await spool.getFailedCount()).toBe(failed.length + 1);
  await fabula.close();
});
