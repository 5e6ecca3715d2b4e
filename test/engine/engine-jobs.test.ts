import type { Job } from 'bullmq';
import { JobTaken } from '../../src/engine/execute/run-delivery.js';
import { Cancellation } from '../../src/engine/execute/cancellation.js';
import { allDeliveries } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
let target: HttpTarget;
let running: TestFabulaHere[] = [];

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/ok': { body: { fine: true } } } });
});
afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
  await target.close();
});

async function start(options: Parameters<typeof startFabulaHere>[1] = {}) {
  const fabula = await startFabulaHere(stores, options);
  running.push(fabula);
  return fabula;
}

const story = (options: Record<string, string> = {}) => ({
  schema_version: 3,
  name: 'Ask',
  guid: 'e'.repeat(32),
  agents: [
    agent('Agents::WebhookAgent', '1', { path: 'ask', secret: 's3cret', verbs: 'post' }, { name: 'Receive' }),
    agent(
      'Agents::HTTPRequestAgent',
      '2',
      { url: `${target.url}/ok`, method: 'get', ...options },
      { name: 'Ask' },
    ),
  ],
  links: [{ source: 0, receiver: 1 }],
});

const GARBAGE: unknown[] = [
  null,
  7,
  'text',
  [],
  {},
  { deliveryId: null, generation: 0 },
  { deliveryId: '1 OR 1=1', generation: 0 },
  {
    deliveryId: [
      [1, 2],
      [3, 4],
    ],
    generation: 0,
  },
  { deliveryId: { toSqlString: 'x' }, generation: 0 },
  { deliveryId: -1, generation: 0 },
  { deliveryId: 1.5, generation: 0 },
  { deliveryId: 1e300, generation: 0 },
  { deliveryId: 999_999_999, generation: 0 },
];

test('garbage and jobs for deliveries that are not there end silently, and disturb no others', async () => {
  const fabula = await start({ queues: [], relay: false });
  const { webhooks } = await fabula.importStory(story());
  for (let call = 0; call < 5; call += 1) await fabula.fire(webhooks['Receive']!);
  const queue = queueNamed(fabula.workers.queues, 'http-request');
  await queue.addBulk(
    GARBAGE.map((data, index) => ({ name: 'delivery', data, opts: { jobId: `garbage-${index}` } })),
  );
  const worker = await start({ env: { QUEUE_PREFIX: fabula.config.queuePrefix }, relay: false });
  await worker.settled();
  await eventually(async () => (await queue.getCompletedCount()) === GARBAGE.length + 5);
  expect(await queue.getFailedCount()).toBe(0);
  const jobs = (await queue.getCompleted()) as Job[];
  const garbage = jobs.filter(({ id }) => id?.startsWith('garbage'));
  expect(garbage.map(({ returnvalue }) => returnvalue as unknown)).toEqual(
    GARBAGE.map(() => ({ outcome: 'gone' })),
  );
  expect((await worker.events()).filter((event) => event.agent === 'Ask')).toHaveLength(5);
});

test('one delivery by twenty jobs, of old generations and future ones too, has one effect', async () => {
  const fabula = await start({ queues: [], relay: false });
  const { webhooks } = await fabula.importStory(story());
  await fabula.fire(webhooks['Receive']!);
  const [row] = await stores.db.read((session) => session.rows<{ id: number }>('SELECT id FROM deliveries'));
  await stores.sql('UPDATE deliveries SET generation = 3');
  const queue = queueNamed(fabula.workers.queues, 'http-request');
  const add = (generations: number[]) =>
    queue.addBulk(
      generations.map((generation, index) => ({
        name: 'delivery',
        data: { deliveryId: row!.id, generation },
        opts: { jobId: `by-hand-${generation}-${index}` },
      })),
    );
  const completed = (count: number) => eventually(async () => (await queue.getCompletedCount()) === count);
  await add([1, 2, 4, 5]);
  const worker = await start({ env: { QUEUE_PREFIX: fabula.config.queuePrefix }, relay: false });
  // These four, and the job of generation 0 that the webhook added.
  await completed(5);
  expect(target.requests).toEqual([]);

  await add(Array.from({ length: 20 }, () => 3));
  await worker.settled();
  await completed(25);
  expect((await worker.events()).filter((event) => event.agent === 'Ask')).toHaveLength(1);
  const outcomes = ((await queue.getCompleted()) as Job[]).map(
    ({ returnvalue }) => (returnvalue as { outcome: string }).outcome,
  );
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'gone')).toHaveLength(24);
  // A repeated request names itself the same: at least once, with one key.
  expect(new Set(target.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test.each([
  [
    'its lock was lost: another has the job',
    () => new JobTaken(),
    { state: 'pending', generation: 0, attempts: 0 },
  ],
  ['it took too long', () => new Error('late'), { state: 'waiting', generation: 1, attempts: 1 }],
])('an action that is cancelled because %s counts as it should', async (_why, reason, expected) => {
  target.on('/ok', { hang: true });
  const fabula = await start({ queues: [], relay: false });
  const { webhooks } = await fabula.importStory(story({ retry_on_status: '0' }));
  await fabula.fire(webhooks['Receive']!);
  const [row] = await allDeliveries(stores.db);
  const cancel = new Cancellation();
  const work = fabula.workers.runDelivery({ deliveryId: row!.id, generation: 0 }, cancel).then(
    ({ outcome }) => outcome,
    (error: unknown) => error,
  );
  await target.waitForRequests(1);
  cancel.abort(reason());
  await work;
  expect(await allDeliveries(stores.db)).toMatchObject([expected]);
  expect(await fabula.logs()).toHaveLength(expected.attempts);
});

test('Redis holds the two ids of a job and nothing of its payload, options or secrets', async () => {
  const fabula = await start();
  await fabula.workers.credentials.set(fabula.account.team.id, 'api key', 'hunter2-secret');
  const { webhooks } = await fabula.importStory(
    story({ url: `${target.url}/ok?key={% credential api key %}&who={{ .receive.body.who }}` }),
  );
  await fabula.fire(webhooks['Receive']!, { who: 'ada-lovelace' });
  await fabula.settled();
  expect(target.requests[0]!.url).toBe('/ok?key=hunter2-secret&who=ada-lovelace');
  const queue = queueNamed(fabula.workers.queues, 'http-request');
  const [job] = (await eventually(async () => {
    const jobs = await queue.getCompleted();
    return jobs.length > 0 && jobs;
  })) as Job[];
  expect(job!.data).toEqual({ deliveryId: expect.any(Number) as number, generation: 0 });
  const held = await everythingInRedis(fabula.config.queuePrefix);
  expect(held).toContain('deliveryId');
  for (const private_ of ['hunter2-secret', 'ada-lovelace', target.url, 's3cret'])
    expect(held).not.toContain(private_);
});

/** Every key with this prefix and what it holds, as one text. */
async function everythingInRedis(prefix: string): Promise<string> {
  const parts: string[] = [];
  for await (const keys of stores.redis.scanStream({ match: `*${prefix}*`, count: 1000 })) {
    for (const key of keys as string[]) {
      parts.push(key, JSON.stringify(await read(key, await stores.redis.type(key))));
    }
  }
  return parts.join('\n');
}

function read(key: string, type: string): Promise<unknown> {
  const { redis } = stores;
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'list') return redis.lrange(key, 0, -1);
  if (type === 'set') return redis.smembers(key);
  if (type === 'zset') return redis.zrange(key, '0', '-1');
  if (type === 'stream') return redis.xrange(key, '-', '+');
  return redis.get(key);
}
