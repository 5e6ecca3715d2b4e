import { type Job, Worker } from 'bullmq';
import { createQueues } from '../../src/engine/dispatch/queues.js';
import { bullPrefix, partName } from '../../src/engine/dispatch/parts/queue-part.js';
import { createBacklog } from '../../src/engine/dispatch/figures/backlog.js';
import { createJobLookup } from '../../src/engine/dispatch/adding/job-lookup.js';
import { deliveryJobId, QUEUES, SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { processName, readProcesses } from '../../src/engine/dispatch/figures/live-processes.js';
import { readQueueFigures } from '../../src/engine/dispatch/figures/queue-figures.js';
import { createRedisMemory } from '../../src/engine/accept/redis-memory.js';
import { createRedisLossDetector } from '../../src/engine/recovery/redis-loss-detector.js';
import { redisRightsCheck } from '../../src/operate/doctor/checks/redis-rights-check.js';
import { readRedisInfo } from '../../src/operate/doctor/facts/redis-info.js';
import type { StoreContext } from '../../src/operate/doctor/check.js';
import { productVersion } from '../../src/platform/outbound/product-version.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createRateCounter } from '../../src/platform/http/limits/rate-counter.js';
import { listenToChannel } from '../../src/platform/redis/channel-listener.js';
import { pingRedis } from '../../src/platform/redis/masters.js';
import { createListenedStream } from '../../src/platform/redis/listened-stream.js';
import type { RedisClient } from '../../src/platform/redis/redis-client.js';
import { createRedis, type RedisUse } from '../../src/platform/redis/redis.js';
import { createCallLog } from '../../src/web/webhooks/calls/call-log.js';
import type { PendingCalls } from '../../src/web/webhooks/calls/pending-calls.js';
import { eventually } from '../support/eventually.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import type { ServersUnderTest } from '../support/servers-under-test.js';
import { queueNamed } from '../support/queue-named.js';

const PREFIX = 'in-cluster';
const logger = createSilentLogger();
const opened: RedisClient[] = [];
let cluster: ServersUnderTest;
let redis: RedisClient;

beforeAll(async () => {
  cluster = await startRedisCluster();
  redis = await open('producer');
});
afterAll(async () => {
  for (const client of opened) client.disconnect();
  await cluster.close();
});

async function open(use: RedisUse): Promise<RedisClient> {
  const target = {
    redisUrl: cluster.redisUrl,
    redisTlsRejectUnauthorized: true,
    connectionName: processName(PREFIX),
  };
  const client = createRedis(target, use, logger);
  opened.push(client);
  await eventually(() => client.status === 'ready');
  return client;
}

const epoch = () => Promise.resolve('e');
const queuesOf = (client: RedisClient) => createQueues({ redis: client, prefix: PREFIX, logger });
const sentinel = () =>
  createRedisLossDetector({ redis, prefix: PREFIX, queues: queuesOf(redis), epoch, logger });

test('the queues spread over the masters', async () => {
  const queues = queuesOf(redis);
  for (const part of queues.own) await queues.at(part).add('job', {}, { jobId: 'one' });
  const held = await Promise.all((await cluster.masters()).map(({ client }) => client.dbsize()));
  expect(held.every((keys) => keys > 0)).toBe(true);
});

test('the parts of one queue spread over the masters, and their jobs are found', async () => {
  const parts = { 'event-transformation': 4 };
  const queues = createQueues({ redis, prefix: PREFIX, parts, logger });
  const tags = queues.own.filter(({ queue }) => queue === 'event-transformation').map(partName);
  expect(tags).toHaveLength(4);
  const held = await Promise.all(
    (await cluster.masters()).map(async ({ client }) => {
      const keys = await client.keys(`{${PREFIX}-event-transformation*}:*`);
      return tags.filter((tag) => keys.some((key) => key.startsWith(`{${PREFIX}-${tag}}:`)));
    }),
  );
  expect(held.flat().toSorted()).toEqual(tags.toSorted());
  expect(held.filter((own) => own.length > 0).length).toBeGreaterThan(1);

  await queues.announce();
  const jobs = Array.from({ length: 40 }, (_, index) => ({
    queue: 'event-transformation' as const,
    storyId: 1,
    deliveryId: 1_000 + index,
    generation: 0,
  }));
  for (const job of jobs) {
    await queues.of(job.queue, job.deliveryId).add('run', {}, { jobId: deliveryJobId('e', job) });
  }
  // A process that does not spread the queue finds them all the same, on whatever master.
  const found = await createJobLookup({ redis, queues: queuesOf(redis), epoch }).find(jobs);
  expect(new Set(found.values())).toEqual(new Set(['live']));
  expect(found.size).toBe(40);
  await redis.del(`${PREFIX}:queue-parts`);
});

test('jobs of all queues are looked up at once, and counted', async () => {
  const queues = queuesOf(redis);
  const kinds = QUEUES.filter((queue) => queue !== SPOOL_QUEUE);
  const jobs = kinds.map((queue, index) => ({ queue, storyId: 1, deliveryId: index + 1, generation: 0 }));
  for (const job of jobs.slice(1))
    await queueNamed(queues, job.queue).add('run', {}, { jobId: deliveryJobId('e', job) });
  const found = await createJobLookup({ redis, queues, epoch }).find(jobs);
  expect([...found.values()]).toEqual(['absent', ...jobs.slice(1).map(() => 'live')]);
  const figures = await readQueueFigures(queues, redis);
  expect(figures.filter(({ waiting }) => waiting < 1)).toEqual([]);
  expect(await createBacklog({ redis, queues })({ queue: kinds[1]!, part: 1 })).toBeGreaterThan(0);
});

test('a worker takes jobs, and is listed among the workers of its queue', async () => {
  const queue = queueNamed(queuesOf(redis), 'trigger');
  const done: string[] = [];
  const connection = await open('worker');
  const worker = new Worker('trigger', async (job: Job) => void done.push(String(job.id)), {
    connection,
    prefix: bullPrefix(PREFIX, { queue: 'trigger', part: 1 }),
    name: 'w',
  });
  worker.on('error', () => undefined);
  await queue.add('run', {}, { jobId: 'to-do' });
  await eventually(() => done.includes('to-do'));
  await eventually(async () => (await queue.getWorkers()).length > 0);
  await worker.close();
});

test('several limits are counted at once', async () => {
  const counter = createRateCounter({ redis, prefix: PREFIX, logger });
  const limits = ['a', 'b', 'c', 'd'].map((name) => ({ name, perMinute: 2 }));
  await eventually(async () => (await counter.count(limits)) !== undefined);
  await eventually(async () => (await counter.count(limits))?.exceeded === true);
});

test('the last calls of many webhooks are noted and read at once; the oldest are forgotten', async () => {
  const log = createCallLog({ redis, prefix: PREFIX, keptWebhooks: 20 });
  const pending: PendingCalls = {
    accepted: [{ at: Date.now(), status: 201, bytes: 1, address: 'a', contentType: '', runGuid: 'g' }],
    refused: [],
    acceptedCount: 1,
    refusedCount: 0,
    unrecordedCount: 0,
    refusedCounts: new Map(),
  };
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  await log.write(new Map(ids.map((id) => [id, pending])));
  expect([...(await log.read(ids)).values()].map(({ counts }) => counts?.accepted)).toEqual(ids.map(() => 1));
  await log.write(new Map([[100, pending]]));
  const kept = [...(await log.read([...ids, 100])).values()].filter(({ counts }) => counts !== undefined);
  expect(kept).toHaveLength(20);
});

test('messages and live events reach other processes', async () => {
  const messages: string[] = [];
  const listener = listenToChannel({
    redis: await open('subscriber'),
    channel: `${PREFIX}:talk`,
    logger,
    onMessage: (message) => messages.push(message),
  });
  await eventually(async () => {
    await redis.publish(`${PREFIX}:talk`, 'hello');
    return messages.includes('hello');
  });
  await listener.close();
  const stream = createListenedStream({ redis, key: `${PREFIX}:news` });
  await stream.markListened();
  await stream.append('text');
  expect((await stream.readFrom('0-0', 10)).at(-1)).toMatchObject({ text: 'text' });
});

test('a loss is noticed when one master loses its keys, and only then', async () => {
  const watch = sentinel();
  expect(await watch.redisWasLost()).toBe(true);
  await watch.setUp(await watch.beginWalk());
  for (let round = 0; round < 20; round += 1) expect(await watch.redisWasLost()).toBe(false);
  for (const { client } of await cluster.masters()) {
    await client.flushall();
    expect(await watch.redisWasLost()).toBe(true);
    await watch.setUp(await watch.beginWalk());
    expect(await watch.redisWasLost()).toBe(false);
  }
});

test('all masters are asked for memory, policy, connections and facts', async () => {
  const memory = () => createRedisMemory({ redis, policy: undefined, logger })();
  expect(await memory()).toMatchObject({ keeping: 'keeps' });
  const [, second] = await cluster.masters();
  await second!.client.config('SET', 'maxmemory', '64mb');
  await second!.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  expect(await memory()).toEqual({ bytes: 64 * 1024 ** 2, keeping: 'evicts' });
  await second!.client.config('SET', 'maxmemory-policy', 'noeviction');
  expect(await readRedisInfo(redis)).toHaveLength(3);
  expect((await readProcesses(redis, PREFIX)).versions.get(productVersion())).toBeGreaterThan(0);
  const context = { redis, config: { queuePrefix: PREFIX } } as unknown as StoreContext;
  expect(await redisRightsCheck.run(context)).toEqual([]);
});

test('after a master was killed, its replica takes over: commands go on, and the loss is noticed once', async () => {
  const watch = sentinel();
  await watch.setUp(await watch.beginWalk());
  const [victim] = await cluster.masters();
  await victim!.kill();
  const lost = () => watch.redisWasLost().catch(() => undefined);
  await eventually(async () => (await lost()) === true, 60_000);
  await watch.setUp(await watch.beginWalk());
  expect(await watch.redisWasLost()).toBe(false);
  await eventually(() =>
    pingRedis(redis).then(
      () => true,
      () => false,
    ),
  );
  const queues = queuesOf(redis);
  for (const part of queues.own) expect(await queues.at(part).add('job', {})).toBeDefined();
  await victim!.start();
  await eventually(() => cluster.isWhole(), 60_000);
  expect(await watch.redisWasLost()).toBe(false);
});
