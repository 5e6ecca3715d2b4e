import path from 'node:path';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { queueOf } from '../support/queue-named.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();
const PATIENCE_MS = 60_000;
const preload = (file: string) => ['--import', path.resolve(__dirname, '..', file)];
/** Its clock is five minutes ahead from the first SIGUSR2 on, and five minutes behind from the second. */
const CLOCK_SHIFT = preload('chaos/preload/clock-shift.mjs');
const STAND_STILL = preload('support/stand-still.mjs');
const POISON = preload('chaos/preload/poison.mjs');
/** Beats that the others would long have missed. */
const MANY_BEATS = 8;

let target: HttpTarget;
let running: FabulaProcess[] = [];
beforeEach(async () => {
  target = await startHttpTarget();
  stores.onClose(() => target.close());
});
// The relay of one that goes on would do the work of the next test, on the same database.
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.stop('SIGKILL')));
  running = [];
});

const asking = (headers: Record<string, string> = {}) =>
  storyOf(
    {
      Hook: ['Webhook', { path: 'ask', secret: 's3cret' }],
      Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'get', timeout: 600, headers }],
      After: says({ status: '=ask.status' }),
    },
    ['Hook > Ask > After'],
  );

async function start(headers?: Record<string, string>) {
  const fabula = await startFabula(stores, { queues: [], relay: false });
  const { webhooks } = await fabula.importStory(asking(headers));
  const afters = async () => (await fabula.events()).filter(({ agent }) => agent === 'After');
  const beats = async () =>
    Object.values(await stores.redis.hgetall(`${fabula.config.queuePrefix}:worker-beats`)).map(Number);
  /** Resolves when a worker has given more beats than these. */
  const beatsAbove = (count: number) =>
    eventually(async () => Math.max(0, ...(await beats())) > count, PATIENCE_MS);
  return { fabula, fire: () => fabula.fire(webhooks['Hook']!), afters, beatsAbove };
}

async function startWorker(
  { config }: TestFabula,
  env: NodeJS.ProcessEnv = {},
  nodeOptions: string[] = [],
): Promise<FabulaProcess> {
  const worker = startProcess(
    'workers/all',
    fabulaEnvironment(stores, {
      QUEUE_PREFIX: config.queuePrefix,
      DATA_DIR: config.dataDir,
      LOG_LEVEL: 'info',
      ...env,
    }),
    nodeOptions,
  );
  running.push(worker);
  await worker.said('worker is running');
  return worker;
}

function withResolvers() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** Lets the target hold all requests until the function is called that it returns. */
function hold(): () => void {
  const { promise, resolve } = withResolvers();
  target.on('/ask', { status: 200, after: promise });
  return resolve;
}

test('the jobs of a worker that stands still are given on, and what it does later has no effect', async () => {
  const release = hold();
  const { fabula, fire, afters } = await start();
  const frozen = await startWorker(fabula);
  await fire();
  await target.waitForRequests(1);
  process.kill(frozen.pid, 'SIGSTOP');
  const other = await startWorker(fabula);
  await target.waitForRequests(2, PATIENCE_MS);
  await other.said('gives no beats');
  release();
  await fabula.settled(PATIENCE_MS);
  // Its locks have run out too, and the job that was given on has ended.
  const queue = queueOf(fabula, 'http-request', stores);
  await eventually(async () => (await queue.getActiveCount()) === 0, PATIENCE_MS);
  process.kill(frozen.pid, 'SIGCONT');
  expect(await frozen.stop('SIGTERM')).toBe(0);
  expect(await other.stop('SIGTERM')).toBe(0);
  expect(await afters()).toHaveLength(1);
  expect(await fabula.deadLetters()).toEqual([]);
  const keys = target.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('a worker that has lost Redis alone has its jobs given on as well', async () => {
  const release = hold();
  const { fabula, fire, afters } = await start();
  const proxy = await startTcpProxy(stores.redisUrl);
  stores.onClose(() => proxy.close());
  await startWorker(fabula, { REDIS_URL: proxy.url });
  await fire();
  await target.waitForRequests(1);
  const other = await startWorker(fabula);
  proxy.cut();
  await target.waitForRequests(2, PATIENCE_MS);
  release();
  await fabula.settled(PATIENCE_MS);
  expect(await afters()).toHaveLength(1);
  expect(other.output()).toContain('gives no beats');
});

test('a worker whose event loop stands still for seconds keeps its jobs', async () => {
  const release = hold();
  const { fabula, fire, afters, beatsAbove } = await start();
  const blocked = await startWorker(fabula, {}, STAND_STILL);
  await fire();
  await target.waitForRequests(1);
  const other = await startWorker(fabula);
  await beatsAbove(1);
  process.kill(blocked.pid, 'SIGUSR2');
  await blocked.said('stands still');
  await blocked.said('goes on');
  await beatsAbove(MANY_BEATS);
  release();
  await fabula.settled(PATIENCE_MS);
  expect(target.requests).toHaveLength(1);
  expect(await afters()).toHaveLength(1);
  expect(other.output()).not.toContain('gives no beats');
});

test('a worker that has lost MySQL alone keeps its jobs, and ends them when it is back', async () => {
  const release = hold();
  const { fabula, fire, afters, beatsAbove } = await start();
  const proxy = await startTcpProxy(stores.databaseUrl);
  stores.onClose(() => proxy.close());
  await startWorker(fabula, { DATABASE_URL: proxy.url });
  await fire();
  await target.waitForRequests(1);
  await startWorker(fabula);
  proxy.cut();
  release();
  await beatsAbove(MANY_BEATS);
  expect(await afters()).toEqual([]);
  proxy.restore();
  await fabula.settled(PATIENCE_MS);
  expect(target.requests).toHaveLength(1);
  expect(await afters()).toHaveLength(1);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('a killed worker is missed however wrong the clocks are', async () => {
  const release = hold();
  const { fabula, fire, afters } = await start();
  const ahead = await startWorker(fabula, {}, CLOCK_SHIFT);
  process.kill(ahead.pid, 'SIGUSR2');
  await ahead.said('everything is logged');
  await fire();
  await target.waitForRequests(1);
  const behind = await startWorker(fabula, {}, CLOCK_SHIFT);
  process.kill(behind.pid, 'SIGUSR2');
  await behind.said('everything is logged');
  process.kill(behind.pid, 'SIGUSR2');
  await ahead.stop('SIGKILL');
  await target.waitForRequests(2, PATIENCE_MS);
  release();
  await fabula.settled(PATIENCE_MS);
  expect(behind.output()).toContain('gives no beats');
  expect(await afters()).toHaveLength(1);
  expect(await fabula.deadLetters()).toEqual([]);
  const keys = target.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('a slow action of a worker that lives stays with it', async () => {
  const release = hold();
  const { fabula, fire, afters, beatsAbove } = await start();
  const workers = [await startWorker(fabula), await startWorker(fabula)];
  await fire();
  await beatsAbove(MANY_BEATS);
  release();
  await fabula.settled(PATIENCE_MS);
  expect(target.requests).toHaveLength(1);
  expect(await afters()).toHaveLength(1);
  expect(workers.map((worker) => worker.output()).join('')).not.toContain('gives no beats');
});

test('a job that ends each worker at once runs alone after the second, and becomes a dead letter', async () => {
  const { fabula, fire } = await start({ 'x-poison': 'yes' });
  await fire();
  const workers: FabulaProcess[] = [];
  const keepRunning = async () => {
    while ((await fabula.deadLetters()).length === 0) {
      const worker = await startWorker(fabula, {}, POISON);
      workers.push(worker);
      await Promise.race([worker.ended, eventually(hasDeadLetter, 2 * PATIENCE_MS)]);
    }
  };
  const hasDeadLetter = async () => (await fabula.deadLetters()).length > 0;
  await keepRunning();
  expect(await fabula.deadLetters()).toMatchObject([
    { error: expect.stringContaining('crashed its worker') as string },
  ]);
  expect(workers).toHaveLength(3);
  expect(await workers.at(-1)!.stop('SIGTERM')).toBe(0);
});
