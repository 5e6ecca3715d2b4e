import path from 'node:path';
import { assert, asyncProperty, boolean, integer } from 'fast-check';
import { Cancellation } from '../../src/engine/execute/cancellation.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import { type Backlog, createBacklog } from '../../src/engine/dispatch/figures/backlog.js';
import { watchProgress } from '../../src/app/worker/progress-watch.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { startProcess } from '../support/processes.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
let target: HttpTarget;
let running: TestFabulaHere[] = [];

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/ask': { hang: true } } });
});

afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
  await target.close();
});

const asking = () =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'get', timeout: 600 }],
      After: says({ status: '=ask.status' }),
    },
    ['Hook > Ask > After'],
  );

async function start(options: Parameters<typeof startFabulaHere>[1] = {}) {
  const fabula = await startFabulaHere(stores, options);
  running.push(fabula);
  const { webhooks } = await fabula.importStory(asking());
  return { fabula, fire: () => fabula.fire(webhooks['Hook']!) };
}

const afters = async (fabula: TestFabulaHere) =>
  (await fabula.events()).filter(({ agent }) => agent === 'After').map(({ payload }) => payload);

const TRIGGER = { queue: 'trigger' as const, part: 1 };

const watching = (worker: { started?: () => number; hasFreeSlot?: () => boolean }, backlog: Backlog) => {
  const stalled: string[][] = [];
  const stopping = new AbortController();
  const looks = { count: 0 };
  const watch = watchProgress(
    {
      workers: [{ part: TRIGGER, started: () => 0, hasFreeSlot: () => true, ...worker }],
      backlog: (part) => {
        looks.count += 1;
        return backlog(part);
      },
      stallMs: 50,
      onStall: (queues) => void stalled.push(queues),
      logger: stores.logger,
    },
    stopping.signal,
  );
  return { stalled, looks, watch, stop: () => stopping.abort() };
};

const preload = (file: string) => ['--import', path.resolve(__dirname, '../support', file)];
/** From the sources: inside the bundle, no test reaches what BullMQ does. */
const FROM_SOURCES = ['--import', 'tsx'];
const processOf = (fabula: TestFabulaHere, options: string[], env: NodeJS.ProcessEnv = {}) => {
  const worker = startProcess(
    options.includes('tsx')
      ? path.resolve(__dirname, '../../workers/http-request.ts')
      : 'workers/http-request',
    fabulaEnvironment(stores, {
      QUEUE_PREFIX: fabula.config.queuePrefix,
      DATA_DIR: fabula.config.dataDir,
      LOG_LEVEL: 'info',
      WORKER_STALL_SECONDS: '2',
      ...env,
    }),
    options,
  );
  stores.onClose(() => worker.stop('SIGKILL'));
  return worker;
};

describe('the deadline of an action', () => {
  it('ends one that listens, as a failed attempt that says so', async () => {
    const { fabula, fire } = await start({ env: { ACTION_DEADLINE_SECONDS: '1', MAX_ATTEMPTS: '2' } });
    await fire();
    await eventually(async () => (await fabula.logs()).length > 0);
    expect((await fabula.logs())[0]).toMatchObject({
      agent: 'Ask',
      message: expect.stringMatching(/^Attempt 1 failed.*interrupted/),
    });
  });

  it('frees the slot of one that does not listen, and gives the delivery another attempt', async () => {
    let asked = 0;
    const deaf: HttpClient = {
      request: () => {
        asked += 1;
        if (asked === 1) return new Promise(() => undefined);
        return Promise.resolve({ answered: true, status: 204, headers: {}, body: Buffer.alloc(0) }) as never;
      },
      close: () => Promise.resolve(),
    };
    const { fabula, fire } = await start({
      http: deaf,
      env: { ACTION_DEADLINE_SECONDS: '1', WORKER_CONCURRENCY: '1' },
    });
    await fire();
    await eventually(async () => (await fabula.logs()).length > 0, 15_000);
    expect((await fabula.logs())[0]?.message).toMatch(/^Attempt 1 failed.*took too long/);
    await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
    await fabula.settled();
    expect(await afters(fabula)).toEqual([{ status: 204 }]);
    expect(asked).toBe(2);
  });

  it('leaves alone what ends before it, or in the grace after it', async () => {
    await assert(
      asyncProperty(boolean(), boolean(), integer({ min: 0, max: 5 }), async (fails, aborted, ms) => {
        const stop = new Cancellation();
        if (aborted) stop.abort(new Error('late'));
        const work = new Promise<string>((resolve, reject) => {
          setTimeout(() => (fails ? reject(new Error('own')) : resolve('done')), ms);
        });
        const came = await stop.heededBy(work, 1_000).catch((error: Error) => error.message);
        expect(came).toBe(fails ? 'own' : 'done');
      }),
      { numRuns: 50 },
    );
    const stop = new Cancellation();
    const deaf = stop.heededBy(new Promise(() => undefined), 5);
    stop.abort(new Error('late'));
    await expect(deaf).rejects.toThrow('late');
  });
});

it('a job that comes again to the worker that still runs it waits until that has ended', async () => {
  const responses: (() => void)[] = [];
  const slow: HttpClient = {
    request: () =>
      new Promise((resolve) => {
        const response = { answered: true, status: 204, headers: {}, body: Buffer.alloc(0) } as never;
        responses.push(() => resolve(response));
      }),
    close: () => Promise.resolve(),
  };
  const { fabula, fire } = await start({ http: slow });
  const queue = queueNamed(fabula.web.core.queues, 'http-request');
  await fire();
  await eventually(() => responses.length === 1);
  // As the scan leaves it that finds its lock run out.
  const [job] = await queue.getActive();
  await stores.redis
    .multi()
    .del(`${queue.toKey(job!.id!)}:lock`)
    .lrem(queue.toKey('active'), 0, job!.id!)
    .lpush(queue.toKey('wait'), job!.id!)
    .zadd(queue.toKey('marker'), 0, '0')
    .exec();
  await eventually(() => job!.isDelayed());
  expect(responses).toHaveLength(1);
  responses[0]!();
  await eventually(async () => (await queue.getCompletedCount()) === 1);
  await fabula.settled();
  expect(responses).toHaveLength(1);
  expect(await afters(fabula)).toEqual([{ status: 204 }]);
});

describe('the watch of progress', () => {
  it('tells of a queue whose jobs wait while none is begun, once', async () => {
    const { stalled, watch } = watching({}, () => Promise.resolve(1));
    await watch;
    expect(stalled).toEqual([['trigger']]);
  });

  it.each([
    ['nothing waits', {}, () => Promise.resolve(0)],
    ['Redis does not answer', {}, () => Promise.reject(new Error('away'))],
  ])('says nothing while %s', async (_what, worker, backlog) => {
    const { stalled, looks, watch, stop } = watching(worker, backlog);
    await eventually(() => looks.count > 30);
    stop();
    await watch;
    expect(stalled).toEqual([]);
  });

  it('says nothing of a worker that begins jobs now and then, or has its slots full', async () => {
    let begun = 0;
    const busy = watching({ started: () => Math.floor(begun++ / 8) }, () => Promise.resolve(1));
    let asked = 0;
    const full = watching({ hasFreeSlot: () => (asked++, false) }, () => Promise.resolve(1));
    await eventually(() => busy.looks.count > 40 && asked > 40);
    for (const { stop, watch } of [busy, full]) {
      stop();
      await watch;
    }
    expect([busy.stalled, full.stalled]).toEqual([[], []]);
  });

  it('counts jobs that wait, but not in a queue that somebody holds back', async () => {
    const { fabula } = await start({ queues: [], relay: false });
    const { queues, redis } = fabula.web.core;
    const backlog = createBacklog({ redis, queues });
    const queue = queueNamed(queues, 'trigger');
    expect(await backlog(TRIGGER)).toBe(0);
    await queue.add('delivery', {});
    await queue.add('delivery', {}, { priority: 5 });
    expect(await backlog(TRIGGER)).toBe(2);
    await queue.pause();
    expect(await backlog(TRIGGER)).toBe(0);
    await queue.resume();
    await queue.setGlobalConcurrency(1);
    expect(await backlog(TRIGGER)).toBe(0);
  });
});

describe('a worker process', () => {
  it('that takes no jobs although some wait says so and ends with an error', async () => {
    const { fabula, fire } = await start({ queues: [] });
    const worker = processOf(fabula, [...FROM_SOURCES, ...preload('never-work.mjs')]);
    await worker.said('worker is running');
    await fire();
    await worker.said('jobs are waiting but none is taken: exiting');
    await worker.ended;
    expect(await worker.stop('SIGKILL')).toBe(1);
    expect(worker.output()).toContain('"queues":["http-request"]');
  });

  it('whose event loop is blocked for ever is ended, and another does its work', async () => {
    const { fabula, fire } = await start({ queues: ['event-transformation'] });
    const blocked = processOf(fabula, preload('block-on-signal.mjs'));
    await blocked.said('worker is running');
    await fire();
    await target.waitForRequests(1);
    target.on('/ask', { status: 204 });
    process.kill(blocked.pid, 'SIGUSR2');
    const other = processOf(fabula, []);
    await other.said('worker is running');
    await blocked.said('the event loop is blocked: exiting');
    await blocked.ended;
    await eventually(async () => (await afters(fabula)).length === 1, 45_000);
    await fabula.settled();
    expect(await afters(fabula)).toEqual([{ status: 204 }]);
    const keys = target.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(await other.stop('SIGTERM')).toBe(0);
  });

  it('that was stopped as a whole for longer goes on when it is let', async () => {
    const { fabula, fire } = await start({ queues: ['event-transformation'] });
    const worker = processOf(fabula, []);
    await worker.said('worker is running');
    process.kill(worker.pid, 'SIGSTOP');
    const began = Date.now();
    await fire();
    await eventually(() => Date.now() - began > 5_000);
    target.on('/ask', { status: 204 });
    process.kill(worker.pid, 'SIGCONT');
    await eventually(async () => (await afters(fabula)).length === 1, 20_000);
    expect(worker.output()).not.toContain(': exiting');
    expect(await worker.stop('SIGTERM')).toBe(0);
  });
});

it('connections to Redis that hang half-open are found by time-outs, and work goes on over new ones', async () => {
  target.on('/ask', { status: 204 });
  const proxy = await startTcpProxy(stores.redisUrl);
  stores.onClose(() => proxy.close());
  const { fabula, fire } = await start({ env: { REDIS_URL: proxy.url } });
  await fire();
  await eventually(async () => (await afters(fabula)).length === 1);
  proxy.strand();
  expect((await fire()).status).toBe(201);
  await eventually(async () => {
    await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'pending'");
    return (await afters(fabula)).length === 2;
  }, 120_000);
  await fabula.settled();
  expect(await afters(fabula)).toHaveLength(2);
  // Stopping does not wait for what hangs, either.
  const began = Date.now();
  await fabula.close();
  expect(Date.now() - began).toBeLessThan(60_000);
});
