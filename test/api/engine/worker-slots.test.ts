import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/platform/json.js';
import { allDeliveries } from '../../support/deliveries.js';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import type { TestFabula } from '../../support/fabula.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
/** A worker takes twice as many jobs. */
const CONCURRENCY = 8;
const JOBS = 2 * CONCURRENCY;
const PATIENCE_MS = 30_000;

const fabula = useFabula(stores, { env: { WORKER_CONCURRENCY: String(CONCURRENCY) } });
let target: Awaited<ReturnType<typeof startTarget>>;

beforeEach(async () => {
  target = await startTarget();
});
afterEach(() => target.close());

function add(counts: Map<string, number>, key: string, change: number): void {
  counts.set(key, (counts.get(key) ?? 0) + change);
}

/** Answers `/quiet` at once and nothing else, and knows how many requests of each path are open and how many came. */
async function startTarget() {
  const open = new Map<string, number>();
  const came = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    add(came, path, 1);
    if (path === '/quiet') {
      response.writeHead(204).end();
      return;
    }
    add(open, path, 1);
    response.on('close', () => add(open, path, -1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: (path: string) => open.get(path) ?? 0,
    openInAll: () => [...open.values()].reduce((sum, count) => sum + count, 0),
    came: (path: string) => came.get(path) ?? 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const asking = (name: string): JsonObject =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['HTTPRequest', { url: `${target.url}/${name}`, method: 'get', timeout: 60 }],
    },
    ['Hook > Ask'],
    { name },
  );

/** A story that asks `/name`, of this client's tenant. */
async function imported(client: Pick<TestFabula, 'importStory' | 'fire'>, name: string) {
  const { id, webhooks } = await client.importStory(asking(name), { new_name: name });
  return { id, call: () => client.fire(webhooks['Hook'] ?? '') };
}

async function flood(client: Pick<TestFabula, 'importStory' | 'fire'>, name: string, calls: number) {
  const story = await imported(client, name);
  await Promise.all(Array.from({ length: calls }, () => story.call()));
  return story;
}

const otherTenant = async () => fabula.as(await buildAccount(stores.db, { owner: true }));

/** Each call is served while everything else hangs. */
async function expectServed(quiet: { call(): Promise<unknown> }, calls: number) {
  for (let call = 1; call <= calls; call += 1) {
    await quiet.call();
    await eventually(() => target.came('/quiet') === call, PATIENCE_MS);
  }
}

test('three stories of one tenant whose targets never answer leave slots to other tenants', async () => {
  const hostile = await otherTenant();
  for (const name of ['a', 'b', 'c']) await flood(hostile, name, 30);
  const quiet = await imported(fabula, 'quiet');
  await eventually(() => target.openInAll() >= CONCURRENCY);
  await expectServed(quiet, 5);
  expect(target.openInAll()).toBeGreaterThanOrEqual(CONCURRENCY);
  expect(target.openInAll()).toBeLessThanOrEqual((JOBS * 3) / 4);
});

test('three tenants with two such stories each leave slots to other tenants', async () => {
  for (const tenant of ['a', 'b', 'c']) {
    const hostile = await otherTenant();
    for (const story of ['1', '2']) await flood(hostile, `${tenant}${story}`, 20);
  }
  const quiet = await imported(fabula, 'quiet');
  await eventually(() => target.openInAll() >= CONCURRENCY);
  await expectServed(quiet, 5);
  expect(target.openInAll()).toBeLessThan(JOBS);
});

test('two such stories leave a slot to a third one of their own tenant', async () => {
  for (const name of ['a', 'b']) await flood(fabula, name, 30);
  const quiet = await imported(fabula, 'quiet');
  await eventually(() => target.openInAll() >= CONCURRENCY);
  await expectServed(quiet, 5);
});

describe('a running request is aborted soon after', () => {
  const RESTING = 'Waits: the story or the action is disabled';

  test('its story is deleted, and nothing comes of it', async () => {
    const story = await flood(fabula, 'a', 3);
    await eventually(() => target.open('/a') === 3);
    await fabula.api('DELETE', `/api/v1/stories/${story.id}`);
    await eventually(() => target.open('/a') === 0);
    await fabula.settled();
    expect(await allDeliveries(stores.db)).toEqual([]);
  });

  test('its story is disabled; it is done again when the story is enabled, and no attempt was counted', async () => {
    const story = await flood(fabula, 'a', 1);
    await eventually(() => target.open('/a') === 1);
    await fabula.api('PUT', `/api/v1/stories/${story.id}`, { disabled: true });
    await eventually(() => target.open('/a') === 0);
    await eventually(async () => (await allDeliveries(stores.db))[0]?.state === 'waiting');
    expect(await allDeliveries(stores.db)).toMatchObject([{ attempts: 0, error: RESTING }]);
    await fabula.api('PUT', `/api/v1/stories/${story.id}`, { disabled: false });
    await eventually(() => target.came('/a') === 2);
    await fabula.api('DELETE', `/api/v1/stories/${story.id}`);
  });

  test('its run is cancelled, and nothing comes of it', async () => {
    const story = await imported(fabula, 'a');
    const responses = [await story.call(), await story.call()];
    await eventually(() => target.open('/a') === 2);
    const guid = responses[0]?.headers.get('x-service-story-run') ?? '';
    const cancelled = await fabula.api('POST', `/api/v1/stories/${story.id}/runs/${guid}/cancel`);
    expect(cancelled.status).toBe(200);
    await eventually(() => target.open('/a') === 1);
    await fabula.api('DELETE', `/api/v1/stories/${story.id}`);
    await fabula.settled();
    expect((await fabula.events()).filter(({ agent }) => agent === 'Ask')).toEqual([]);
  });

  test('no other process was told of the change', async () => {
    await flood(fabula, 'a', 2);
    await eventually(() => target.open('/a') === 2);
    await stores.sql('UPDATE agents SET disabled = TRUE, updated_at = NOW(3)', []);
    await stores.sql('UPDATE stories SET version = version + 1', []);
    await eventually(() => target.open('/a') === 0, PATIENCE_MS);
  });
});
