import { createGroupCommit } from '../../src/platform/mysql/commit/group-commit.js';
import { Unavailable } from '../../src/platform/errors.js';
import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const FLOOD = 400;
let target: HttpTarget;
let fabula: TestFabula;

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/quiet': { status: 204 } } });
  fabula = await startFabula(stores, { env: { WORKER_CONCURRENCY: '2' } });
});
afterEach(async () => {
  // Ends the hanging requests, so that the workers need not wait for them.
  await target.close();
  await fabula.close();
});

const asking = (path: string): JsonObject =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['HTTPRequest', { url: `${target.url}/${path}`, method: 'get', timeout: 60 }],
    },
    ['Hook > Ask'],
    { name: path },
  );

async function imported(path: string) {
  const { webhooks } = await fabula.importStory(asking(path), { new_name: path });
  // As clients do: on a busy machine the database may be too slow for a moment.
  return () => eventually(async () => (await fabula.fire(webhooks['Hook']!)).status < 300, 60_000);
}

const requestsTo = (path: string) => target.requests.filter((request) => request.path === `/${path}`).length;

test('a story beside a flood of another one is served long before the flood is over', async () => {
  target.on('/flood', { status: 204, delayMs: 20 });
  const [flood, quiet] = [await imported('flood'), await imported('quiet')];
  await Promise.all(Array.from({ length: FLOOD }, () => flood()));
  // A busy machine takes so long to accept the flood that much of it is done by then.
  const before = requestsTo('flood');
  await quiet();
  await eventually(() => requestsTo('quiet') === 1, 30_000);
  expect(requestsTo('flood') - before).toBeLessThan((FLOOD - before) / 2);
  await fabula.settled(60_000);
  expect(requestsTo('flood')).toBe(FLOOD);
});

test('a story whose actions hang leaves half of the slots to others', async () => {
  target.on('/flood', { hang: true });
  const [flood, quiet] = [await imported('flood'), await imported('quiet')];
  for (let call = 0; call < 10; call++) await flood();
  await eventually(() => requestsTo('flood') === 2);
  for (let call = 1; call <= 5; call++) {
    await quiet();
    await eventually(() => requestsTo('quiet') === call);
  }
  expect(requestsTo('flood')).toBe(2);
});

test('as many requests are under way as there are slots for a story and its tenant, also to one target', async () => {
  await fabula.close();
  fabula = await startFabula(stores, { env: { WORKER_CONCURRENCY: '30' } });
  for (const path of ['first', 'second']) {
    target.on(`/${path}`, { hang: true });
    const fire = await imported(path);
    for (let call = 0; call < 30; call++) await fire();
  }
  await eventually(() => requestsTo('first') === 30 && requestsTo('second') === 7, 10_000);
});

test('one story has so many runs waiting to be stored, and beyond that it is refused while others are not', async () => {
  let commit!: () => void;
  const held = new Promise<void>((resolve) => (commit = resolve));
  const group = createGroupCommit<number, number>({
    name: 'run starts',
    commit: async (items) => {
      await held;
      return items;
    },
    sizeOf: () => 1,
    maxItems: 10,
    maxBytes: 1_000,
    maxPendingItems: 1_000,
    maxPendingBytes: 1_000_000,
    retryForMs: 0,
    shares: { keyOf: (story) => story, most: 3 },
  });
  const taken = [1, 1, 1, 2].map((story) => group.submit(story));
  const refusal: unknown = await group.submit(1).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Unavailable);
  expect((refusal as Unavailable).headers).toEqual({ 'Retry-After': '1' });
  commit();
  expect(await Promise.all(taken)).toEqual([1, 1, 1, 2]);
  expect(await group.submit(1)).toBe(1);
});
