import type { Job } from 'bullmq';
import { SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { figuresIn } from '../support/metric-text.js';
import { startPrivateStores } from '../support/private-stores.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
let proxy: TcpProxy;
let running: TestFabulaHere[] = [];

beforeEach(async () => {
  proxy = await startTcpProxy(stores.databaseUrl);
});
afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
  await proxy.close();
});

const STORY = {
  schema_version: 3,
  name: 'Spooled',
  guid: 'b'.repeat(32),
  agents: [
    agent(
      'Agents::WebhookAgent',
      '1',
      { path: 'spooled', secret: 's3cret', verbs: 'post' },
      { name: 'Receive' },
    ),
    agent(
      'Agents::EventTransformationAgent',
      '2',
      { mode: 'message_only', payload: { n: '{{ .receive.body.n }}' } },
      { name: 'Copy' },
    ),
  ],
  links: [{ source: 0, receiver: 1 }],
};

/** A web process that reaches the database through the proxy, with its webhook in the cache. */
async function startWeb(options: Parameters<typeof startFabulaHere>[1] & { on?: typeof stores } = {}) {
  const { on = stores, env, ...rest } = options;
  const fabula = await startFabulaHere(on, { ...rest, env: { DATABASE_URL: proxy.url, ...env } });
  running.push(fabula);
  const { webhooks } = await fabula.importStory(STORY);
  const address = webhooks['Receive']!;
  expect((await fabula.fire(address, { n: -1 })).status).toBe(201);
  const spool = queueNamed(fabula.web.core.queues, SPOOL_QUEUE);
  return { fabula, address, spool, prefix: fabula.config.queuePrefix };
}

const noWorkers = { queues: [], relay: false };

async function startWorkers(prefix: string) {
  const fabula = await startFabulaHere(stores, { env: { QUEUE_PREFIX: prefix } });
  running.push(fabula);
  return fabula;
}

async function received(fabula: TestFabulaHere, name = 'Receive'): Promise<number[]> {
  const events = await fabula.events();
  return events
    .filter((event) => event.agent === name)
    .map(({ payload }) =>
      Number((payload as { body?: { n: number }; n?: string }).body?.n ?? (payload as { n: string }).n),
    );
}

test('while the database is away, webhooks are accepted into the spool, and drained once and in order afterwards', async () => {
  const { fabula, address, spool, prefix } = await startWeb(noWorkers);
  proxy.cut();
  const guids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const response = await fabula.fire(address, { n });
    expect(response.status).toBe(201);
    guids.push(response.headers.get('x-service-story-run')!);
  }
  expect(await spool.getWaitingCount()).toBe(6);
  expect(await received(fabula)).toEqual([-1]);
  const figures = figuresIn(await fabula.web.core.metrics!.text('web'));
  expect(figures.sum('fabula_webhook_calls_total', { outcome: 'spooled' })).toBe(6);
  expect(figures.sum('fabula_webhook_calls_total', { outcome: 'stored' })).toBe(1);
  expect(figures.sum('fabula_runs_started_total')).toBe(1);
  expect(figures.sum('fabula_store_up', { store: 'mysql' })).toBe(0);
  expect(figures.sum('fabula_store_answer_seconds', { store: 'mysql' })).toBeUndefined();
  expect((await fabula.web.core.spoolLevel()).heldBytes).toBeGreaterThan(0);
  proxy.restore();
  const workers = await startWorkers(prefix);
  await eventually(async () => (await spool.getCompletedCount()) === 6);
  // The job of the first one may have been on its way when the database went: the relay is not to be waited for here.
  await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
  await workers.settled();
  expect(await received(workers)).toEqual([-1, 0, 1, 2, 3, 4, 5]);
  expect((await received(workers, 'Copy')).toSorted((a, b) => a - b)).toEqual([-1, 0, 1, 2, 3, 4, 5]);
  const drained = figuresIn(await workers.workers.metrics!.text('all'));
  expect(drained.sum('fabula_runs_started_total', { source: 'webhook' })).toBe(6);
  // The number in Redis stays; a spool without jobs is empty all the same.
  expect((await fabula.web.core.spoolLevel()).heldBytes).toBe(0);
  for (const [n, guid] of guids.entries()) {
    expect((await workers.events(guid))[0]).toMatchObject({ agent: 'Receive', payload: { body: { n } } });
  }
});

test('workers that lost the database too drain the spool as soon as it is back', async () => {
  const { fabula, address } = await startWeb();
  await fabula.settled();
  proxy.cut();
  const responses = await Promise.all([0, 1, 2, 3].map((n) => fabula.fire(address, { n })));
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  proxy.restore();
  await eventually(async () => (await received(fabula, 'Copy')).length === 5, 40_000);
  expect((await received(fabula)).toSorted((a, b) => a - b)).toEqual([-1, 0, 1, 2, 3]);
  await fabula.settled(40_000);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('an event that was committed before the database went, but nobody knew, is not stored again', async () => {
  const { fabula, address, spool, prefix } = await startWeb(noWorkers);
  proxy.swallowCommits(1, { thenCut: true });
  expect((await fabula.fire(address, { n: 0 })).status).toBe(201);
  expect(proxy.swallowed()).toBe(1);
  expect(await spool.getWaitingCount()).toBe(1);
  expect(await received(fabula)).toEqual([-1, 0]);
  proxy.restore();
  const workers = await startWorkers(prefix);
  await eventually(async () => (await spool.getCompletedCount()) === 1);
  // Its job was never added: the relay is not to be waited for here.
  await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
  await workers.settled();
  expect(await received(workers)).toEqual([-1, 0]);
  expect(await received(workers, 'Copy')).toHaveLength(2);
});

test.each([
  ['disabled', "UPDATE stories SET disabled = 1, version = version + 1 WHERE name = 'Spooled'", /disabled/],
  ['deleted', "DELETE FROM stories WHERE name = 'Spooled'", /deleted/],
])('an event whose story was %s meanwhile is a failed job that says so', async (_what, change, reason) => {
  const { fabula, address, spool, prefix } = await startWeb(noWorkers);
  proxy.cut();
  expect((await fabula.fire(address, { n: 0 })).status).toBe(201);
  await stores.sql(change);
  const workers = await startWorkers(prefix);
  const [job] = (await eventually(async () => {
    const failed = await spool.getFailed();
    return failed.length > 0 && failed;
  })) as Job[];
  expect(job!.failedReason).toMatch(reason);
  expect((job!.data as { payload: string }).payload).toContain('"n":0');
  expect(await received(workers)).not.toContain(0);
});

test('a caller of a path that is not known is told to come again', async () => {
  const { fabula } = await startWeb(noWorkers);
  proxy.cut();
  const response = await fabula.fire('unknown/s3cret', {});
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('with both stores away the response is 503 with Retry-After, and nothing was taken', async () => {
  const own = await startPrivateStores(stores, { redis: true });
  const { fabula, address, spool } = await startWeb({ ...noWorkers, on: own });
  proxy.cut();
  await own.embedded.redis!.stop();
  const began = Date.now();
  const response = await fabula.fire(address, { n: 0 });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Date.now() - began).toBeLessThan(25_000);
  await own.embedded.redis!.start();
  await eventually(async () => fabula.web.core.redis.status === 'ready');
  expect(await spool.getWaitingCount()).toBe(0);
  expect(await received(fabula)).toEqual([-1]);
  expect((await fabula.fire(address, { n: 1 })).status).toBe(201);
  expect(await spool.getWaitingCount()).toBe(1);
});
