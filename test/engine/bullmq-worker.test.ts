import { DelayedError, type Job, Queue, Worker, type WorkerOptions } from 'bullmq';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedis } from '../../src/platform/redis/redis.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let named = 0;

/** A queue of its own, and how to work on it. */
function build() {
  const name = `bullmq-worker-${++named}`;
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
    const worker = new Worker<unknown, void>(name, process, {
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

test('a worker that has done all begins the next job at once', async () => {
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
  // A worker that misses a job finds it when the blocking call is over, after five seconds.
  expect(Math.max(...slow)).toBeLessThan(4_000);
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
});

test('a worker that closes while it fetches begins that job and leaves the others', async () => {
  const { queue, work, add } = build();
  const begun: string[] = [];
  const { worker, start } = work(50, async (job) => void begun.push(String(job.id)));
  // Its next fetch is of the eight: one that found nothing is over, and no job ends that could fetch another.
  const drained = once(worker, 'drained');
  start();
  await drained;
  const moveToActive = worker.backend.moveToActive.bind(worker.backend);
  let closing: Promise<void> | undefined;
  worker.backend.moveToActive = (token, name) => {
    const fetched = moveToActive(token, name);
    closing ??= worker.close();
    return fetched;
  };
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

test('the lock of every job is renewed', async () => {
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
