import type { QueueName } from '../../src/engine/dispatch/jobs.js';
import { createJobLookup } from '../../src/engine/dispatch/adding/job-lookup.js';
import { partName, queuePartsOf } from '../../src/engine/dispatch/parts/queue-part.js';
import { readQueueFigures } from '../../src/engine/dispatch/figures/queue-figures.js';
import type { JobRef } from '../../src/engine/state/deliveries/delivery-job.js';
import { eventually } from '../support/eventually.js';
import { type FabulaHereOptions, startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const FOUR = { QUEUE_PARTS: 'http-request=4,event-transformation=4' };
const ACCOUNT = { ADMIN_USER: 'admin', ADMIN_PASSWORD: 'correct horse', ADMIN_BOARD_WRITE: 'true' };
const ADMIN = { Authorization: `Basic ${Buffer.from('admin:correct horse').toString('base64')}` };
/** A process looks for parts of others every 15 seconds. */
const FOLLOWS_WITHIN_MS = 60_000;
const running: TestFabulaHere[] = [];
let corners = 0;
let target: HttpTarget;

beforeEach(async () => {
  corners += 1;
  target = await startHttpTarget({ rules: { '/ask': { body: 'fine' } } });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((fabula) => fabula.close()));
  await target.close();
});

/** Processes of one test share a corner of Redis. */
async function start(env: NodeJS.ProcessEnv, options: FabulaHereOptions = {}): Promise<TestFabulaHere> {
  const QUEUE_PREFIX = `${stores.queuePrefix}-parts-${corners}`;
  const fabula = await startFabulaHere(stores, { ...options, env: { QUEUE_PREFIX, ...ACCOUNT, ...env } });
  running.push(fabula);
  return fabula;
}

/** A process that adds jobs and works on none. */
const startAdding = (env: NodeJS.ProcessEnv) => start(env, { queues: [], relay: false });

const asking = () =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'get', fail_on_status: ['500'] }],
      After: says({ status: '=ask.status' }),
    },
    ['Hook > Ask > After'],
  );

async function fire(fabula: TestFabulaHere, count: number): Promise<void> {
  const { webhooks } = await fabula.importStory(asking());
  for (let sent = 0; sent < count; sent += 1) await fabula.fire(webhooks['Hook']!);
}

const waitingIn = (fabula: TestFabulaHere, queue: QueueName = 'http-request') =>
  Promise.all(
    queuePartsOf({ [queue]: 4 }, queue).map((part) =>
      fabula.web.core.queues.at(part).getJobCountByTypes('waiting', 'prioritized'),
    ),
  );
const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
const added = (fabula: TestFabulaHere, count: number) =>
  eventually(async () => {
    const counts = await waitingIn(fabula);
    return sum(counts) === count && counts;
  });

const deliveries = () =>
  stores.db.read((session) =>
    session.rows<JobRef>(
      'SELECT id AS deliveryId, queue, story_id AS storyId, generation FROM deliveries ORDER BY id',
    ),
  );
const lookup = async ({ web: { core } }: TestFabulaHere) =>
  createJobLookup({ redis: core.redis, queues: core.queues, epoch: () => core.epoch() }).find(
    await deliveries(),
  );
const makeAllDue = () => stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
/** The keys tell a second request for the same delivery, and a new generation. */
const keys = () => target.requests.map(({ headers }) => headers['idempotency-key']!);
const afters = async (fabula: TestFabulaHere) =>
  (await fabula.events()).filter(({ agent }) => agent === 'After').length;

it('spreads the jobs of a queue, and each is done once', async () => {
  const adding = await startAdding(FOUR);
  await fire(adding, 40);
  const counts = await added(adding, 40);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(new Set((await lookup(adding)).values())).toEqual(new Set(['live']));
  expect((await lookup(adding)).size).toBe(40);
  const working = await start(FOUR);
  await working.settled();
  expect(new Set(keys()).size).toBe(40);
  expect(target.requests).toHaveLength(40);
  expect(await afters(working)).toBe(40);
});

it('counts the parts of a queue together', async () => {
  const adding = await startAdding(FOUR);
  await fire(adding, 12);
  await added(adding, 12);
  const { queues, redis } = adding.web.core;
  const figures = await readQueueFigures(queues, redis);
  expect(figures.filter(({ queue }) => queue.startsWith('http-request'))).toMatchObject([
    { queue: 'http-request', waiting: 12, active: 0, delayed: 0 },
  ]);
  const status = await call(adding, 'GET /api/v1/info/worker_stats');
  expect(status.body).toMatchObject({ queue_count: 12 });
});

it('loses nothing and asks nobody twice when the number is lowered while jobs wait', async () => {
  const before = await startAdding(FOUR);
  await fire(before, 40);
  await added(before, 40);
  await before.close();
  await makeAllDue();
  const after = await start({});
  await eventually(async () => (await afters(after)) === 40, FOLLOWS_WITHIN_MS);
  await after.settled();
  expect(new Set(keys()).size).toBe(40);
  expect(keys().every((key) => key.endsWith('-0'))).toBe(true);
  expect(sum(await waitingIn(after))).toBe(0);
});

it('finds jobs in parts that this process does not fill, so that the relay adds none again', async () => {
  const other = await startAdding(FOUR);
  const one = await startAdding({});
  await fire(other, 20);
  await added(other, 20);
  await makeAllDue();
  await one.workers.loops.relay.tick();
  expect(new Set((await lookup(one)).values())).toEqual(new Set(['live']));
  expect((await deliveries()).filter(({ generation }) => generation === 0)).toHaveLength(20);
  expect(sum(await waitingIn(one))).toBe(20);
});

it('works on parts that another process begins to fill while this one runs', async () => {
  const one = await start({});
  const other = await startAdding(FOUR);
  await fire(other, 20);
  await eventually(async () => (await afters(one)) === 20, FOLLOWS_WITHIN_MS);
  expect(new Set(keys()).size).toBe(20);
  expect(target.requests).toHaveLength(20);
});

it('gives held deliveries a job in their part', async () => {
  const adding = await startAdding(FOUR);
  await fire(adding, 20);
  const before = await added(adding, 20);
  for (const part of queuePartsOf({ 'http-request': 4 }, 'http-request')) {
    await adding.web.core.queues.at(part).drain();
  }
  await stores.sql("UPDATE deliveries SET state = 'held'");
  expect(await adding.workers.loops.heldJobReleaser.tick()).toEqual({ held: 20, fed: 20 });
  expect(await waitingIn(adding)).toEqual(before);
});

it('retries dead letters, by the API and on the board, in whatever part they are', async () => {
  target.on('/ask', { status: 500 });
  const fabula = await start({ ...FOUR, MAX_ATTEMPTS: '1' });
  await fire(fabula, 12);
  await eventually(async () => (await fabula.deadLetters()).length === 12);
  target.on('/ask', { body: 'fine' });
  const parts = queuePartsOf({ 'http-request': 4 }, 'http-request').slice(1);
  const failedIn = async (part: (typeof parts)[number]) =>
    (await fabula.web.core.queues.at(part).getJobs(['failed'])).map(({ id }) => ({ part, id }));
  const failed = await eventually(async () => {
    const found = (await Promise.all(parts.map(failedIn))).flat();
    return found.length > 0 && found;
  });
  const { part, id } = failed[0]!;
  const url = `${fabula.adminUrl}/admin/queues/api/queues/${partName(part)}/${id}/retry`;
  expect((await fetch(url, { method: 'PUT', headers: ADMIN })).status).toBeLessThan(300);
  await eventually(async () => (await fabula.deadLetters()).length === 11);
  for (const letter of await fabula.deadLetters()) {
    const { status } = await call(fabula, `POST /api/v1/dead_letters/${letter.id}/retry`);
    expect(status).toBe(200);
  }
  await eventually(async () => (await afters(fabula)) === 12);
  expect(await fabula.deadLetters()).toEqual([]);
});

it('shows each part on the board, those of other processes too', async () => {
  const one = await startAdding({});
  const shown = async () => {
    const response = await fetch(`${one.adminUrl}/admin/queues/api/queues`, { headers: ADMIN });
    const { queues } = (await response.json()) as { queues: { name: string; displayName?: string }[] };
    return queues.map(({ displayName, name }) => displayName ?? name);
  };
  const other = await startAdding(FOUR);
  await fire(other, 1);
  await added(other, 1);
  const names = await shown();
  expect(names).toEqual(
    expect.arrayContaining(['http-request', 'http-request 2', 'http-request 4', 'trigger']),
  );
  expect(names).not.toContain('trigger 2');
});

it('keeps nothing about parts in Redis unless a queue is spread', async () => {
  const plain = await start({});
  await fire(plain, 1);
  await plain.settled();
  const prefix = plain.config.queuePrefix;
  expect(await stores.redis.exists(`${prefix}:queue-parts`)).toBe(0);
  const keysOfParts = () => stores.redis.keys(`{${prefix}-*-[0-9]}:*`);
  expect(await keysOfParts()).toEqual([]);
  const spread = await startAdding(FOUR);
  await plain.close();
  await fire(spread, 20);
  await added(spread, 20);
  expect(await keysOfParts()).not.toEqual([]);
  expect(await stores.redis.pttl(`${prefix}:queue-parts`)).toBeGreaterThan(14 * 24 * 3_600_000);
});
