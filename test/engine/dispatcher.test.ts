import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { createDispatcher } from '../../src/engine/dispatch/adding/dispatcher.js';
import type { JobRef } from '../../src/engine/state/deliveries/delivery-job.js';
import { createQueues, type Queues } from '../../src/engine/dispatch/queues.js';
import { createRedis } from '../../src/platform/redis/redis.js';
import { openPlacing } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere } from '../support/fabula-here.js';
import { recordingLogger } from '../support/recording-logger.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
let corners = 0;

const refs = (count: number): JobRef[] =>
  Array.from({ length: count }, (_, index) => ({
    queue: 'trigger',
    storyId: 1,
    deliveryId: index + 1,
    generation: 0,
  }));

async function openQueues(redisUrl: string, prefix = `${stores.queuePrefix}-${(corners += 1)}`) {
  const redis = createRedis({ redisUrl, redisTlsRejectUnauthorized: true }, 'producer', stores.logger);
  const queues = createQueues({ redis, prefix, logger: stores.logger });
  stores.onClose(async () => {
    await queues.close();
    redis.disconnect();
  });
  await eventually(() => redis.status === 'ready');
  return { queues };
}

function build(queues: Queues, epoch = 'k3f9') {
  const log = recordingLogger();
  const dispatcher = createDispatcher({
    queues,
    epoch: () => Promise.resolve(epoch),
    admission: openPlacing(),
    hold: () => Promise.reject(new Error('Nothing is to be held back here')),
    logger: log.logger,
  });
  return { dispatcher, lines: () => log.lines() };
}

/** A queue that only counts how many jobs come together, or does what it is told. */
function fakeQueue(addJob: () => Promise<unknown> = () => new Promise(setImmediate)) {
  const sizes: number[] = [];
  let come = 0;
  const queue = {
    add: () => {
      if (come++ === 0) {
        queueMicrotask(() => {
          sizes.push(come);
          come = 0;
        });
      }
      return addJob();
    },
  };
  return { sizes, queues: { of: () => queue, announce: () => Promise.resolve() } as unknown as Queues };
}

test('jobs go to Redis in chunks of five hundred at most', async () => {
  const { sizes, queues } = fakeQueue();
  const { dispatcher } = build(queues);
  dispatcher.dispatch(refs(1_234));
  await dispatcher.drain();
  expect(sizes).toEqual([...Array.from({ length: 12 }, () => 100), 34]);
});

test('what Redis does not take is left to the relay, and what comes later is added', async () => {
  let away = true;
  const { sizes, queues } = fakeQueue(() =>
    away ? Promise.reject(new Error('Connection is closed.')) : Promise.resolve(),
  );
  const { dispatcher, lines } = build(queues);
  dispatcher.dispatch(refs(10));
  await dispatcher.drain();
  expect(lines()).toMatchObject([{ level: 'warn', message: 'jobs left to the relay', jobs: 10 }]);
  away = false;
  dispatcher.dispatch(refs(3));
  await dispatcher.drain();
  expect(sizes).toEqual([10, 3]);
});

test('what Redis does not take is added again by itself when Redis is back, with the same ids', async () => {
  let away = true;
  const { sizes, queues } = fakeQueue(() =>
    away ? Promise.reject(new Error('Connection is closed.')) : Promise.resolve(),
  );
  const { dispatcher, lines } = build(queues);
  dispatcher.dispatch(refs(10));
  await eventually(() => lines().length === 1);
  expect(lines()).toMatchObject([{ message: 'jobs were not added; retrying', jobs: 10 }]);
  away = false;
  const before = sizes.length;
  await eventually(() => sizes.length > before);
  expect(sizes.at(-1)).toBe(10);
  await dispatcher.drain();
  expect(lines()).toHaveLength(1);
  expect(sizes).toHaveLength(before + 1);
});

test('no more than fifty thousand jobs wait to be added', async () => {
  let letGo!: () => void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const { sizes, queues } = fakeQueue(() => held);
  const { dispatcher, lines } = build(queues);
  dispatcher.dispatch(refs(1));
  await eventually(() => sizes.length === 1);
  dispatcher.dispatch(refs(50_000));
  dispatcher.dispatch(refs(1));
  expect(lines()).toMatchObject([{ level: 'warn', jobs: 1 }]);
  letGo();
  await dispatcher.drain();
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(50_001);
});

test('jobs of a chunk go to Redis in one write', async () => {
  const { queues } = await openQueues(stores.redisUrl);
  const { dispatcher } = build(queues);
  await dispatcher.add(refs(1));
  const { stream } = (await queueNamed(queues, 'trigger').getBackend().client) as unknown as Redis;
  const write = jest.spyOn(stream, '_writev' as never);
  await dispatcher.add(refs(60).slice(1));
  expect(write).toHaveBeenCalledTimes(1);
  expect(await queueNamed(queues, 'trigger').getJobCountByTypes('wait')).toBe(60);
});

test('a Redis that hangs is given up by the adding of jobs within seconds', async () => {
  const proxy = await startTcpProxy(stores.redisUrl);
  stores.onClose(() => proxy.close());
  const { queues } = await openQueues(proxy.url);
  const { dispatcher } = build(queues);
  await dispatcher.add(refs(1));
  proxy.freeze();
  const began = Date.now();
  await expect(dispatcher.add(refs(2))).rejects.toThrow();
  expect(Date.now() - began).toBeLessThan(25_000);
  proxy.restore();
});

test('a webhook is answered while Redis hangs: its event is committed, its jobs come later', async () => {
  const proxy = await startTcpProxy(stores.redisUrl);
  stores.onClose(() => proxy.close());
  const fabula = await startFabulaHere(stores, { queues: [], relay: false, env: { REDIS_URL: proxy.url } });
  const { webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], After: says({ a: 1 }) }, ['Hook > After']),
  );
  expect((await fabula.fire(webhooks['Hook']!)).status).toBe(201);
  await fabula.web.core.dispatcher.drain();
  // The connection that adds the jobs hangs, and so do all others to Redis.
  let letGo!: () => void;
  const held = new Promise<never>((resolve) => (letGo = () => resolve(undefined as never)));
  const queue = queueNamed(fabula.web.core.queues, 'event-transformation');
  const adding = jest.spyOn(queue, 'add').mockImplementation(() => held);
  proxy.freeze();
  expect((await fabula.fire(webhooks['Hook']!)).status).toBe(201);
  expect(await fabula.events()).toHaveLength(2);
  await eventually(() => adding.mock.calls.length === 1);
  letGo();
  proxy.restore();
  await fabula.close();
});

test('a failed job that cannot be removed does not keep the next ones from removal', async () => {
  const removed: string[] = [];
  const queue = {
    remove(id: string) {
      if (id === 'k3f9-1-0') return Promise.reject(new Error('Job is locked'));
      removed.push(id);
      return Promise.resolve(1);
    },
  };
  const { dispatcher, lines } = build({ of: () => queue } as unknown as Queues);
  dispatcher.forgetFailed(refs(150).map((ref) => ({ ...ref, generation: 1 })));
  await eventually(() => removed.length === 149);
  expect(lines()).toMatchObject([{ level: 'debug', jobs: 1, error: 'Job is locked' }]);
});

describe('the id of a job', () => {
  test('is made of epoch, delivery and generation; its data is the latter two', async () => {
    const { queues } = await openQueues(stores.redisUrl);
    await build(queues).dispatcher.add([{ ...refs(1)[0]!, deliveryId: 18_231, generation: 2 }]);
    const [job] = (await queueNamed(queues, 'trigger').getJobs(['wait'])) as Job[];
    expect(job!.id).toBe('k3f9-18231-2');
    expect(job!.data).toEqual({ deliveryId: 18_231, generation: 2 });
    // Repeating is the database's business; how long it stays when it is done is its worker's.
    expect(job!.opts).toEqual({ jobId: 'k3f9-18231-2', attempts: 0, backoff: undefined });
  });

  test('keeps a database that was made anew clear of what Redis holds of the old one', async () => {
    const { queues } = await openQueues(stores.redisUrl);
    const queue = queueNamed(queues, 'trigger');
    const waiting = async () => queue.getJobCountByTypes('wait');
    await build(queues, 'old').dispatcher.add(refs(3));
    expect(await waiting()).toBe(3);
    // An id that Redis still holds is passed over in silence.
    await build(queues, 'old').dispatcher.add(refs(3));
    expect(await waiting()).toBe(3);
    await build(queues, 'new').dispatcher.add(refs(3));
    expect(await waiting()).toBe(6);
  });
});
