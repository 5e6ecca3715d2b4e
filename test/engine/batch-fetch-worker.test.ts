import { DelayedError, type Job, Queue, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedis } from '../../src/platform/redis/redis.js';
import { BatchFetchWorker } from '../../workers/batch-fetch-worker.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let named = 0;

/** A queue of its own, and how to work on it. */
function build() {
  const name = `batch-fetch-${++named}`;
  const prefix = stores.queuePrefix;
  // BullMQ leaves connections that it was given open. Closed last: what is registered later is closed before.
  const connect = () => {
    const target = { redisUrl: stores.redisUrl, redisTlsRejectUnauthorized: true };
    const redis = createRedis(target, 'worker', stores.logger);
    stores.onClose(() => redis.disconnect());
    return redis;
  };
  const queue = new Queue(name, { connection: connect(), prefix });
  stores.onClose(async () => queue.close());
  const work = (
    concurrency: number,
    process: (job: Job, token?: string) => Promise<void>,
    options: Partial<WorkerOptions> = {},
  ) => {
    const redis = connect();
    const worker = new BatchFetchWorker<unknown, void>(name, process, {
      ...options,
      connection: redis,
      prefix,
      concurrency,
      autorun: false,
    });
    const errors: Error[] = [];
    worker.on('error', (error) => errors.push(error)).on('failed', (_job, error) => errors.push(error));
    stores.onClose(() => worker.close());
    return { worker, redis, errors, start: () => void worker.run() };
  };
  const add = async (count: number) =>
    (
      await queue.addBulk(Array.from({ length: count }, (_, number) => ({ name: 'job', data: { number } })))
    ).map(({ id }) => String(id));
  return { queue, work, add };
}

test('every job of a thousand is done once, and never more at a time than a worker may have', async () => {
  const { queue, work, add } = build();
  const ids = await add(1_000);
  const done: string[] = [];
  let underWay = 0;
  let most = 0;
  const { start, errors } = work(20, async (job) => {
    most = Math.max(most, ++underWay);
    await sleep(Math.random() * 4);
    underWay -= 1;
    done.push(String(job.id));
  });
  start();
  await eventually(() => done.length >= 1_000);
  await eventually(async () => (await queue.getCompletedCount()) === 1_000);
  expect(done.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids);
  expect(most).toBe(20);
  expect(errors).toEqual([]);
  expect(await queue.getActiveCount()).toBe(0);
});

test('a worker that has done all waits for the next, and never with jobs in its hands', async () => {
  const { work, add } = build();
  let done = 0;
  const { start } = work(30, async () => {
    await sleep(Math.random() * 2);
    done += 1;
  });
  start();
  let added = 0;
  const slow: number[] = [];
  for (let round = 0; round < 150; round++) {
    const began = performance.now();
    const count = 1 + Math.floor(Math.random() * 12);
    const early = add(count);
    // A second producer, so that jobs end, and find none, while others come.
    if (round % 3 === 0) await sleep(Math.random() * 3);
    await Promise.all([early, add(1)]);
    added += count + 1;
    await eventually(() => done === added);
    slow.push(performance.now() - began);
  }
  // Who misses a job finds it when the blocking call is over, after five seconds.
  expect(Math.max(...slow)).toBeLessThan(4_000);
}, 60_000);

test('jobs that wait are fetched together', async () => {
  const { work, add } = build();
  const begun: string[] = [];
  const { redis, start } = work(50, async (job) => void begun.push(String(job.id)));
  await add(8);
  start();
  await eventually(() => begun.length === 8);
  const scripts = scriptsATurn(redis);
  await add(8);
  await eventually(() => begun.length === 16);
  // One more than there were the last time: the ninth says that there are no more.
  expect(Math.max(...scripts)).toBeGreaterThanOrEqual(9);
});

test('a worker that has found no more leaves no marker, which would have it look again for nothing', async () => {
  const { queue, work, add } = build();
  let done = 0;
  const { redis, start } = work(50, async () => void (done += 1));
  await add(3);
  start();
  await eventually(async () => done === 3 && (await queue.getCompletedCount()) === 3);
  const sent: string[] = [];
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    sent.push(command.name);
    return send(command, stream);
  };
  await add(3);
  await eventually(async () => done === 6 && (await queue.getCompletedCount()) === 6);
  // The marker goes before the last question: a job that comes after that leaves one of its own.
  expect(sent.filter((name) => name === 'zrem')).toHaveLength(1);
  expect(sent.slice(0, 5)).toEqual(['evalsha', 'evalsha', 'evalsha', 'zrem', 'evalsha']);
  expect(await stores.redis.exists(queue.toKey('marker'))).toBe(0);
});

test('two workers of a queue miss no job, however jobs come', async () => {
  const { queue, work, add } = build();
  let done = 0;
  const process = async () => {
    await sleep(Math.random() * 3);
    done += 1;
  };
  for (const each of [work(3, process), work(40, process)]) each.start();
  let added = 0;
  const slow: number[] = [];
  for (let round = 0; round < 150; round++) {
    const began = performance.now();
    const counts = Array.from({ length: 3 }, () => 1 + Math.floor(Math.random() * 6));
    await Promise.all(
      counts.map(async (count) => {
        await sleep(Math.random() * 3);
        await add(count);
      }),
    );
    added += counts.reduce((sum, count) => sum + count, 0);
    await eventually(() => done === added);
    slow.push(performance.now() - began);
  }
  // A blocking call is over after five seconds.
  expect(Math.max(...slow)).toBeLessThan(4_000);
  await eventually(async () => (await queue.getCompletedCount()) === added);
}, 60_000);

/** How many scripts a connection is given in each turn of the event loop from now on. */
function scriptsATurn(redis: Redis): number[] {
  const turns: number[] = [];
  const send = redis.sendCommand.bind(redis);
  let sent = 0;
  redis.sendCommand = (command, stream) => {
    if (command.name === 'evalsha' && sent++ === 0) {
      setImmediate(() => {
        turns.push(sent);
        sent = 0;
      });
    }
    return send(command, stream);
  };
  return turns;
}

test('a worker that closes while it fetches gives back what it does not begin', async () => {
  const { queue, work, add } = build();
  const begun: string[] = [];
  const { worker, start } = work(50, async (job) => void begun.push(String(job.id)));
  await add(8);
  start();
  await eventually(() => begun.length === 8);
  const moveToActive = worker.backend.moveToActive.bind(worker.backend);
  let closing: Promise<void> | undefined;
  worker.backend.moveToActive = (token, name) => {
    const fetched = moveToActive(token, name);
    closing ??= worker.close();
    return fetched;
  };
  begun.length = 0;
  await add(8);
  await eventually(() => closing !== undefined);
  await closing;
  expect(begun).toHaveLength(1);
  expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 0, waiting: 7 });
});

test('a job that is put back makes room for the next one', async () => {
  const { queue, work, add } = build();
  await add(6);
  const done = new Set<string>();
  const tried = new Set<string>();
  const { start, errors } = work(2, async (job, token) => {
    const id = String(job.id);
    if (Number(id) % 2 === 0 && !tried.has(id)) {
      tried.add(id);
      await job.moveToDelayed(Date.now() + 30, token);
      throw new DelayedError();
    }
    done.add(id);
  });
  start();
  await eventually(() => done.size === 6);
  await eventually(async () => (await queue.getCompletedCount()) === 6);
  expect(tried.size).toBe(3);
  expect(errors.filter((error) => !(error instanceof DelayedError))).toEqual([]);
});

/** A worker whose main loop does not run, and that has just done three jobs: the next fetch asks for four. */
async function byHand(process: (job: Job, token?: string) => Promise<void>) {
  const { queue, work, add } = build();
  const { worker } = work(
    50,
    (job, token) => (job.data.number < 0 ? Promise.resolve() : process(job, token)),
    {
      drainDelay: 60,
    },
  );
  await queue.addBulk([-1, -2, -3].map((number) => ({ name: 'job', data: { number } })));
  for (let job = await worker.getNextJob('warm', { block: false }); job; ) {
    await worker.processJob(job, job.token ?? '', () => false);
    job = await worker.getNextJob('warm', { block: false });
  }
  return { queue, worker, add };
}

test('a job that ends and finds no other does not make the worker wait with jobs in its hands', async () => {
  const { queue, worker, add } = await byHand(async () => {});
  const ids = await add(3);
  const first = await worker.getNextJob('first');
  expect(await worker.processJob(first, first.token ?? '', () => true)).toBeUndefined();
  await stores.redis.del(queue.toKey('marker'));
  // Would it wait, it would for a minute: Redis has nothing more.
  const rest = [await worker.getNextJob('second'), await worker.getNextJob('third')];
  expect([first, ...rest].map(({ id }) => id)).toEqual(ids);
  for (const job of rest) await worker.processJob(job, job.token ?? '', () => false);
});

test('who puts a job back fetches nothing: the main loop may be waiting, and would not begin it', async () => {
  const { queue, worker, add } = await byHand(async (job, token) => {
    await job.moveToDelayed(Date.now() + 60_000, token);
    throw new DelayedError();
  });
  await add(1);
  const job = await worker.getNextJob('first');
  expect(await worker.getNextJob('none', { block: false })).toBeUndefined();
  await add(3);
  expect(await worker.processJob(job, job.token ?? '', () => true)).toBeUndefined();
  expect(await queue.getJobCounts('active', 'waiting', 'delayed')).toEqual({
    active: 0,
    waiting: 3,
    delayed: 1,
  });
});

test('a lock is renewed for every job that came with others', async () => {
  const { work, add, queue } = build();
  const runs: string[] = [];
  const process = async (job: Job) => {
    runs.push(String(job.id));
    await sleep(2_500);
  };
  const { start, errors } = work(50, process, { lockDuration: 1_000, stalledInterval: 200 });
  await add(8);
  start();
  await eventually(async () => (await queue.getCompletedCount()) === 8);
  expect(runs).toHaveLength(8);
  expect(errors).toEqual([]);
});
