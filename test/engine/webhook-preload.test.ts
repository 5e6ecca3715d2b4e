import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { SPOOL_QUEUE } from '../../src/engine/dispatch/jobs.js';
import { storyChannel } from '../../src/stories/edit/story-changes.js';
import { createWebhookPreload } from '../../src/web/webhooks/preload/webhook-preload.js';
import type { CacheBounds } from '../../src/web/webhooks/preload/webhook-cache.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { recordingLogger } from '../support/recording-logger.js';
import { agent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
const MINUTE = 60_000;

let proxy: TcpProxy;
let database: Database;
let running: TestFabulaHere[] = [];

beforeEach(async () => {
  proxy = await startTcpProxy(stores.databaseUrl);
  database = createDatabase({ url: proxy.url, poolSize: 4, logger: stores.logger });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
  await database.close();
  await proxy.close();
});

const noWorkers = { queues: [], relay: false };

async function start(options: Parameters<typeof startFabulaHere>[1]) {
  const fabula = await startFabulaHere(stores, options);
  running.push(fabula);
  return fabula;
}

/** A story whose webhook, at this path, has two receivers, one of them disabled. */
const storyAt = (path: string, options = {}) => ({
  schema_version: 3,
  name: `Story at ${path}`,
  guid: 'b'.repeat(32),
  agents: [
    agent('Agents::WebhookAgent', '1', { path, secret: 's3cret', verbs: 'post', ...options }, { name: 'In' }),
    agent(
      'Agents::EventTransformationAgent',
      '2',
      { mode: 'message_only', payload: { n: '1' } },
      { name: 'Out' },
    ),
    agent('Agents::EventTransformationAgent', '3', { mode: 'message_only' }, { name: 'Off', disabled: true }),
    agent('Agents::EventTransformationAgent', '4', { mode: 'message_only' }, { name: 'Later' }),
  ],
  links: [
    { source: 0, receiver: 1 },
    { source: 0, receiver: 2 },
    { source: 1, receiver: 3 },
  ],
});

function preloadWith(bounds?: CacheBounds) {
  const recording = recordingLogger();
  const preload = createWebhookPreload({
    database,
    logger: recording.logger,
    staleMs: 15 * MINUTE,
    ...(bounds === undefined ? {} : { bounds }),
  });
  return { preload, recording };
}

/** One that knows the webhook, and one that reaches MySQL through the proxy and is never called. */
async function pair() {
  const first = await start(noWorkers);
  const { webhooks, id } = await first.importStory(storyAt('one'));
  const env = { DATABASE_URL: proxy.url, QUEUE_PREFIX: first.config.queuePrefix };
  const second = await start({ ...noWorkers, env });
  await eventually(async () => {
    const [, listeners] = (await stores.redis.pubsub('NUMSUB', storyChannel(first.config.queuePrefix))) as [
      string,
      number,
    ];
    return listeners >= 4;
  });
  return { first, second, address: webhooks['In']!, id };
}

/** As many stories with a webhook each, at the paths p0, p1, … */
async function importMany(count: number, options = {}) {
  const fabula = await start(noWorkers);
  const stories = [];
  for (let n = 0; n < count; n += 1) stories.push(await fabula.importStory(storyAt(`p${n}`, options)));
  return stories;
}

const known = (preload: ReturnType<typeof preloadWith>['preload'], count: number) =>
  Array.from({ length: count }, (_, n) => `p${n}`).filter((path) => preload.find(path) !== undefined);

describe('a web process', () => {
  it('that loses MySQL takes calls of webhooks that it has never been called for, and of those imported meanwhile', async () => {
    const { first, second, address } = await pair();
    const { webhooks } = await first.importStory(storyAt('two'));
    // It is told of the import.
    await eventually(() => second.web.preload.find('two') !== undefined);
    proxy.cut();
    for (const [n, at] of [address, webhooks['In']!].entries()) {
      const response = await second.fire(at, { n });
      expect([response.status, await response.text()]).toEqual([201, 'Ok']);
    }
    expect((await second.fire('three/s3cret', {})).status).toBe(503);
    const spool = queueNamed(second.web.core.queues, SPOOL_QUEUE);
    expect(await spool.getWaitingCount()).toBe(2);

    proxy.restore();
    const workers = await start({ env: { QUEUE_PREFIX: first.config.queuePrefix } });
    await eventually(async () => (await spool.getCompletedCount()) === 2);
    await workers.settled();
    const agents = (await workers.events()).map((event) => event.agent).toSorted();
    expect(agents).toEqual(['In', 'In', 'Later', 'Later', 'Out', 'Out']);
  });

  it('goes on with what it knows for as long as it is told to', async () => {
    const first = await start(noWorkers);
    await first.importStory(storyAt('one'));
    const second = await start({ ...noWorkers, env: { DATABASE_URL: proxy.url, STORY_STALE_SECONDS: '5' } });
    await eventually(() => second.web.preload.find('one') !== undefined);
    proxy.cut();
    expect((await second.fire('one/s3cret', {})).status).toBe(201);
    await eventually(() => second.web.preload.find('one') === undefined);
    expect((await second.fire('one/s3cret', {})).status).toBe(503);
  });

  it('forgets a webhook that was deleted, and knows of one that it was disabled', async () => {
    const { first, second, address, id } = await pair();
    const { id: other } = await first.importStory(storyAt('two'));
    await eventually(() => second.web.preload.find('two') !== undefined);
    const response = await first.api('PUT', `/api/v1/stories/${id}`, { disabled: true });
    expect(response.status).toBe(200);
    await eventually(() => second.web.preload.find('one')?.story.disabled === true);
    expect((await first.api('DELETE', `/api/v1/stories/${other}`)).status).toBeLessThan(300);
    await eventually(() => second.web.preload.find('two') === undefined);
    proxy.cut();
    expect((await second.fire('two/s3cret', {})).status).toBe(503);
    expect((await second.fire(address, {})).status).toBe(404);
  });
});

describe('readiness', () => {
  it('makes a web process wait until its webhooks are at hand', async () => {
    proxy.cut();
    const late = await start({ ...noWorkers, env: { DATABASE_URL: proxy.url } });
    const ready = async () => {
      const response = await fetch(`${late.url}/readyz`);
      const { errors = [] } = (await response.json()) as { errors?: { details: string }[] };
      return { status: response.status, missing: errors.map(({ details }) => details) };
    };
    expect(await ready()).toEqual({ status: 503, missing: ['database', 'schema', 'webhooks'] });
    const first = await start(noWorkers);
    await first.importStory(storyAt('one'));
    proxy.restore();
    await eventually(async () => (await ready()).status === 200);
    expect(late.web.preload.find('one')).toBeDefined();
  });
});

describe('what is preloaded', () => {
  it('is the webhook, where its links lead, and nothing of what the others do', async () => {
    await importMany(1);
    const { preload } = preloadWith();
    await preload.pass();
    const { story, agent: webhook } = preload.find('p0')!;
    expect(webhook).toMatchObject({ name: 'In', options: { path: 'p0', secret: 's3cret' } });
    const receivers = webhook.receivers.map(({ agentId }) => story.agents.get(agentId));
    expect(receivers).toMatchObject([
      { name: 'Out', type: 'Agents::EventTransformationAgent', disabled: false, options: {}, receivers: [] },
      { name: 'Off', disabled: true, options: {} },
    ]);
    expect(story.agents.size).toBe(3);
  });

  it.each([
    ['their number', { webhooks: 3, bytes: 1_000_000 }],
    ['their bytes', { webhooks: 100, bytes: 3 * 4_400 }],
  ])('is bounded by %s, which is said once, and those kept stay up to date', async (_what, bounds) => {
    const stories = await importMany(5);
    const { preload, recording } = preloadWith(bounds);
    await preload.pass();
    await preload.pass();
    expect(known(preload, 5)).toEqual(['p0', 'p1', 'p2']);
    expect(recording.lines()).toMatchObject([{ level: 'warn', kept: 3 }]);
    // There is room for another one when one goes.
    await stores.sql('DELETE FROM agents WHERE story_id = ?', [stories[0]!.id]);
    await preload.pass();
    await preload.pass();
    expect(known(preload, 5)).toHaveLength(3);
    expect(preload.find('p0')).toBeUndefined();
  });

  it('is what the database had at the last pass, for a quarter of an hour', async () => {
    const [first] = await importMany(2);
    const { preload } = preloadWith();
    await preload.pass();
    await stores.sql("UPDATE stories SET name = 'New', version = version + 1 WHERE id = ?", [first!.id]);
    expect(preload.find('p0')?.story.name).toBe('Story at p0');
    await preload.pass();
    expect(preload.find('p0')?.story.name).toBe('New');
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 10 * MINUTE);
    await preload.pass();
    proxy.cut();
    clock.mockReturnValue(now + 24 * MINUTE);
    await expect(preload.pass()).rejects.toMatchObject({ fatal: true });
    expect(known(preload, 2)).toEqual(['p0', 'p1']);
    clock.mockReturnValue(now + 26 * MINUTE);
    expect(known(preload, 2)).toEqual([]);
  });

  it('is looked at when it is said to have changed: a path that has moved to another story is found there', async () => {
    const [first, second] = await importMany(2);
    const { preload } = preloadWith();
    await preload.pass();
    await stores.sql("UPDATE agents SET webhook_path = 'p9' WHERE webhook_path = 'p0'");
    await stores.sql("UPDATE agents SET webhook_path = 'p0' WHERE webhook_path = 'p1'");
    await stores.sql('UPDATE stories SET version = version + 1');
    preload.look(first!.id);
    preload.look(second!.id);
    await eventually(() => preload.find('p9') !== undefined);
    expect(preload.find('p0')?.story.id).toBe(second!.id);
    expect(preload.find('p1')).toBeUndefined();
  });
});
