import { createDatabase } from '../../src/platform/mysql/database.js';
import { createSpoolDrain } from '../../src/engine/accept/spool-drain.js';
import type { JsonObject } from '../../src/platform/json.js';
import { createStoryGraphs } from '../../src/stories/graph/story-graphs.js';
import { allDeliveries } from '../support/deliveries.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { recordingLogger } from '../support/recording-logger.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useStoryApi } from '../support/story-api.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

/** A process's copy of a story may be five seconds old, and no process has told it of the change. */
const stores = useStores();
const api = useStoryApi(stores);
const HOOK: [string, JsonObject] = ['Webhook', { path: 'stale', secret: 's3cret' }];
let running: TestFabula[] = [];

/** Two processes; nobody takes jobs but the test. */
async function startTwo() {
  const one = await startFabula(stores, { queues: [], relay: false });
  const env = { QUEUE_PREFIX: one.config.queuePrefix };
  const two = await startFabula(stores, { queues: [], relay: false, env });
  running.push(one, two);
  return { stale: one, current: two };
}

afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
});

/** As the command line imports it: nobody is told. */
const importQuietly = ({ account }: TestFabula, data: JsonObject) =>
  api.stories.import(account.actor, { new_name: data['name'] as string, mode: 'versionReplace', data });

const fire = async (fabula: TestFabula) =>
  expect((await fabula.fire('stale/s3cret', { n: 1 })).status).toBe(201);

/** Has this process work on all that is pending. */
async function work(fabula: TestFabula): Promise<unknown[]> {
  const rows = (await allDeliveries(stores.db)).filter(({ state }) => state === 'pending');
  const jobs = rows.map(({ id, generation }) => ({ deliveryId: id, generation }));
  return Promise.all(jobs.map((job) => fabula.inner.runDelivery(job)));
}

const fanOut = (agents: string[]) =>
  storyOf(
    { Hook: HOOK, ...Object.fromEntries(agents.map((name) => [name, says({ a: 1 })])) },
    agents.map((name) => `Hook > ${name}`),
  );

test('a delivery to an action that was just added is worked on, also by who knows the story without it', async () => {
  const { stale, current } = await startTwo();
  await importQuietly(stale, fanOut(['Old']));
  await fire(stale);
  await work(stale);
  await importQuietly(stale, fanOut(['Old', 'New']));
  await fire(current);
  expect(await work(stale)).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
  expect((await stale.events()).map(({ agent }) => agent).toSorted()).toEqual([
    'Hook',
    'Hook',
    'New',
    'Old',
    'Old',
  ]);
  expect(await stale.deadLetters()).toEqual([]);
});

const helper = (overrides: JsonObject = {}) =>
  storyOf({ Start: ['Webhook', {}] }, [], {
    name: 'Helper',
    send_to_story_enabled: true,
    entry_agent_guid: 'Start',
    exit_agent_guids: ['Start'],
    ...overrides,
  });

describe('a call of a story', () => {
  const caller = storyOf(
    { Hook: HOOK, Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: {} }], After: says({ a: 1 }) },
    ['Hook > Ask > After'],
    { name: 'Caller', guid: 'c'.repeat(32) },
  );

  test('that has just been made open to it is not refused', async () => {
    const { stale } = await startTwo();
    await importQuietly(stale, caller);
    const { story } = await importQuietly(stale, helper({ send_to_story_enabled: false }));
    expect((await stale.inner.storyKnown(story.id))?.sendToStoryEnabled).toBe(false);
    await importQuietly(stale, helper());
    await fire(stale);
    expect(await work(stale)).toMatchObject([{ outcome: 'parked' }]);
  });

  test('by an action that was just added gets the event of an exit, also from who knows no such action', async () => {
    const { stale, current } = await startTwo();
    const { story } = await importQuietly(
      stale,
      storyOf({ Hook: HOOK }, [], { name: 'Caller', guid: 'c'.repeat(32) }),
    );
    expect((await stale.inner.storyKnown(story.id))?.agents).toBe(1);
    await importQuietly(stale, helper());
    await importQuietly(stale, caller);
    await fire(current);
    expect(await work(current)).toMatchObject([{ outcome: 'parked' }]);
    expect(await work(stale)).toMatchObject([{ outcome: 'done' }]);
    expect((await stale.events()).map(({ agent }) => agent)).toEqual(['Hook', 'Start', 'Ask']);
  });
});

test.each([
  ['disabled', { Other: says({ a: 1 }), Hook: HOOK }, 1],
  ['without its webhook', { Other: says({ a: 1 }) }, 0],
])(
  'a spooled event of a story that is known as %s waits until the database can be asked, and begins its run',
  async (_how, before, disabled) => {
    const proxy = await startTcpProxy(stores.databaseUrl);
    const database = createDatabase({ url: proxy.url, poolSize: 2, logger: stores.logger });
    stores.onClose(async () => {
      await database.close();
      await proxy.close();
    });
    const { actor } = await buildAccount(stores.db);
    const importAs = (agents: Record<string, typeof HOOK>) =>
      api.stories.import(actor, { new_name: 'Spooled', mode: 'versionReplace', data: storyOf(agents, []) });
    const { story } = await importAs(before);
    await stores.sql('UPDATE stories SET disabled = ?', [disabled]);
    const graphs = createStoryGraphs(database, { staleMs: 60_000 });
    expect((await graphs.find(story.id))?.version).toBe(1);
    await stores.sql('UPDATE stories SET disabled = 0');
    await importAs({ Other: says({ a: 1 }), Hook: HOOK });
    const agentId = await hookOf(story.id);

    proxy.cut();
    const recording = recordingLogger();
    const started: unknown[] = [];
    const writer = { start: async (run: unknown) => ({ eventId: started.push(run) }) };
    const drain = createSpoolDrain({ writer, graphs, logger: recording.logger });
    const run = { guid: 'g', storyId: story.id, agentId, source: 'webhook' as const, payload: '{}' };
    const drained = drain(run);
    await Promise.race([drained, eventually(() => recording.lines().length > 0)]);
    expect(started).toEqual([]);
    proxy.restore();
    expect(await drained).toEqual({ storyRunGuid: 'g' });
    expect(started).toMatchObject([{ guid: 'g', story: { id: story.id }, agent: { id: agentId } }]);
  },
);

const hookOf = async (storyId: number) => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ id: number }>("SELECT id FROM agents WHERE story_id = ? AND name = 'Hook'", [storyId]),
  );
  return row!.id;
};
