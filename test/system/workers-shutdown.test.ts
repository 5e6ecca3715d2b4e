import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DELIVERY_QUEUES } from '../../src/agents/delivery-queues.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { startPrivateStores } from '../support/private-stores.js';
import { builtFile, startProcess } from '../support/processes.js';
import { agent } from '../support/stories.js';
import { type TestStores, useStores } from '../support/stores.js';
import { queueOf } from '../support/queue-named.js';

const stores = useStores();
let target: HttpTarget;
let running: TestFabula[] = [];

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/slow': { body: 'done', delayMs: 1_500 } } });
});
afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
  await target.close();
});

async function startWeb(on: TestStores = stores) {
  const fabula = await startFabula(on, { queues: [], relay: false });
  running.push(fabula);
  const env = fabulaEnvironment(on, {
    QUEUE_PREFIX: fabula.config.queuePrefix,
    DATA_DIR: fabula.config.dataDir,
    LOG_LEVEL: 'info',
    WORKER_CONCURRENCY: '5',
  });
  return { fabula, env };
}

const story = () => ({
  schema_version: 3,
  name: 'Slow',
  guid: '9'.repeat(32),
  agents: [
    agent(
      'Agents::WebhookAgent',
      '1',
      { path: 'slow', secret: 's3cret', verbs: 'post' },
      { name: 'Receive' },
    ),
    agent('Agents::HTTPRequestAgent', '2', { url: `${target.url}/slow`, method: 'get' }, { name: 'Ask' }),
    agent(
      'Agents::EventTransformationAgent',
      '3',
      { mode: 'message_only', payload: { s: '{{ .ask.status }}' } },
      { name: 'After' },
    ),
  ],
  links: [0, 1].map((source) => ({ source, receiver: source + 1 })),
});

async function namesOf(fabula: TestFabula, name: string): Promise<number> {
  return (await fabula.events()).filter((event) => event.agent === name).length;
}

test('SIGTERM lets the actions under way finish and be stored, leaves no job locked, and exits 0', async () => {
  const { fabula, env } = await startWeb();
  const { webhooks } = await fabula.importStory(story());
  const worker = startProcess('workers/http-request', env);
  stores.onClose(() => worker.stop('SIGKILL'));
  await worker.said('worker is running');
  for (let call = 0; call < 12; call += 1) await fabula.fire(webhooks['Receive']!);
  await target.waitForRequests(5);
  const began = Date.now();
  expect(await worker.stop('SIGTERM')).toBe(0);
  expect(Date.now() - began).toBeLessThan(25_000);

  const taken = target.requests.length;
  expect(taken).toBeLessThan(12);
  expect(await namesOf(fabula, 'Ask')).toBe(taken);
  const queue = queueOf(fabula, 'http-request', stores);
  expect(await queue.getJobCounts('active', 'completed', 'failed')).toEqual({
    active: 0,
    completed: taken,
    failed: 0,
  });
  // Jobs without a slot were handed back for a moment.
  expect(await queue.getJobCountByTypes('waiting', 'delayed')).toBe(12 - taken);
  const locks = await stores.redis.keys(`*${fabula.config.queuePrefix}*:lock`);
  expect(locks).toEqual([]);
  // Results of the actions are on their way, too.
  expect(await queueOf(fabula, 'event-transformation', stores).getWaitingCount()).toBe(taken);
});

test('SIGTERM while an action takes longer than the process has: its job is free again at once, and counts as no try', async () => {
  const { fabula, env } = await startWeb();
  const { webhooks } = await fabula.importStory(story());
  const responses = { hang: true };
  target.on('/slow', () => (responses.hang ? { hang: true } : { body: 'done' }));
  const worker = startProcess('workers/http-request', { ...env, SHUTDOWN_SECONDS: '5' });
  stores.onClose(() => worker.stop('SIGKILL'));
  await worker.said('worker is running');
  for (let call = 0; call < 2; call += 1) await fabula.fire(webhooks['Receive']!);
  await target.waitForRequests(2);
  const began = Date.now();
  expect(await worker.stop('SIGTERM')).toBe(0);
  expect(Date.now() - began).toBeLessThan(25_000);
  const queue = queueOf(fabula, 'http-request', stores);
  expect(await queue.getJobCounts('active', 'waiting', 'failed')).toEqual({
    active: 0,
    waiting: 2,
    failed: 0,
  });
  expect(await stores.redis.keys(`*${fabula.config.queuePrefix}*:lock`)).toEqual([]);
  const rows = await stores.db.read((session) =>
    session.rows('SELECT state, generation, attempts, losses FROM deliveries'),
  );
  expect(rows).toEqual([0, 1].map(() => ({ state: 'pending', generation: 0, attempts: 0, losses: 0 })));

  responses.hang = false;
  const next = startProcess('workers/http-request', env);
  stores.onClose(() => next.stop('SIGKILL'));
  await next.said('worker is running');
  // There is no relay here that could have brought them later.
  await eventually(async () => (await namesOf(fabula, 'Ask')) === 2, 20_000);
  // The other side can tell that they are the same.
  const keys = target.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(2);
  await next.stop('SIGTERM');
});

test('SIGTERM while the database is away: the run that waits in the spool is handed back at once', async () => {
  const own = await startPrivateStores(stores, { database: true });
  const { fabula, env } = await startWeb(own);
  const { webhooks } = await fabula.importStory(story());
  expect((await fabula.fire(webhooks['Receive']!)).status).toBe(201);
  const worker = startProcess('workers/webhook-events', env);
  stores.onClose(() => worker.stop('SIGKILL'));
  await worker.said('worker is running');
  await own.embedded.mysql!.stop();
  await eventually(async () => (await fabula.fire(webhooks['Receive']!)).status === 201);
  const spool = queueOf(fabula, 'webhook-events', stores);
  await eventually(async () => (await spool.getActiveCount()) === 1);
  expect(await worker.stop('SIGTERM')).toBe(0);
  expect(await spool.getJobCounts('active', 'waiting')).toEqual({ active: 0, waiting: 1 });
  expect(await stores.redis.keys(`*${fabula.config.queuePrefix}*:lock`)).toEqual([]);
  await own.embedded.mysql!.start();
});

test('a worker whose supervisor goes away stops by itself, and cleanly', async () => {
  const { fabula, env } = await startWeb();
  const child = spawn(process.execPath, [builtFile('workers/all')], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  stores.onClose(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => output.includes('worker is running'), 40_000);
  const exited = once(child, 'exit');
  child.disconnect();
  expect(await exited).toEqual([0, null]);
  for (const queue of DELIVERY_QUEUES) {
    expect(await queueOf(fabula, queue, stores).getActiveCount()).toBe(0);
  }
});

describe('a worker that starts before its stores', () => {
  test('waits for them, and then works', async () => {
    const own = await startPrivateStores(stores, { database: true, redis: true });
    const { fabula, env } = await startWeb(own);
    const { webhooks } = await fabula.importStory(story());
    await Promise.all([own.embedded.mysql!.stop(), own.embedded.redis!.stop()]);
    const worker = startProcess('workers/all', env);
    stores.onClose(() => worker.stop('SIGKILL'));
    await worker.said('waiting for the database');
    await own.embedded.mysql!.start();
    await worker.said('waiting for redis');
    await own.embedded.redis!.start();
    await worker.said('worker is running');
    await eventually(async () => (await fetch(`${fabula.url}/readyz`)).ok);
    await eventually(async () => (await fabula.fire(webhooks['Receive']!)).status === 201);
    // Had its job not got through, the relay would have brought it half a minute later.
    await eventually(async () => (await namesOf(fabula, 'After')) > 0, 45_000);
    expect(await worker.stop('SIGTERM')).toBe(0);
  });

  test('stops when it is told to while it waits', async () => {
    const env = fabulaEnvironment(stores, {
      DATABASE_URL: 'mysql://nobody@127.0.0.1:9/none',
      REDIS_URL: 'redis://127.0.0.1:9',
      LOG_LEVEL: 'info',
    });
    const worker = startProcess('workers/all', env);
    stores.onClose(() => worker.stop('SIGKILL'));
    await worker.said('waiting for the database');
    const began = Date.now();
    expect(await worker.stop('SIGTERM')).toBe(0);
    expect(Date.now() - began).toBeLessThan(25_000);
  });
});
