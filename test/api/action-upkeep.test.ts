import { createRetentionLoop } from '../../src/engine/retention/retention-loop.js';
import type { JsonObject } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { agentIds, call, eventsIn, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];

async function importWith(agents: Record<string, ShortAgent>, links: string[]) {
  const story = await fabula.importStory(storyOf({ Hook: HOOK, ...agents }, links));
  const fire = async (body: JsonObject) => {
    await fabula.fire(story.webhooks['Hook']!, body);
  };
  return { id: story.id, fire, agents: await agentIds(fabula, story.id) };
}

const removal = (id: number, what: string, body?: JsonObject) =>
  call(fabula, `DELETE /api/v1/actions/${id}/${what}`, body === undefined ? {} : { body });
const payloadsOf = async (agentId: number) =>
  (await eventsIn(fabula, `?agent_id=${agentId}`)).map(({ payload }) => payload);
const removals = () => stores.db.read((session) => session.rows('SELECT * FROM agent_removals'));
const retain = () =>
  createRetentionLoop({
    database: stores.db,
    periods: { deadLetterDays: 14, auditDays: 0 },
    logger: stores.logger,
  }).pass();

const held = () =>
  importWith({ Say: says({ n: '=hook.n' }), Fail: ['EventTransformation', { mode: 'delay' }] }, [
    'Hook > Say',
    'Hook > Fail',
  ]);

const once = (options: JsonObject = {}): ShortAgent => [
  'EventTransformation',
  { mode: 'deduplicate', path: '=hook.n', ...options },
];

const waiting = async () =>
  (
    await stores.db.read((session) =>
      session.rows<{ n: number }>("SELECT COUNT(*) AS n FROM deliveries WHERE state = 'waiting'"),
    )
  )[0]?.n;

describe('remove_events', () => {
  it('removes the events of the action, and answers with the action', async () => {
    const { fire, agents } = await importWith({ Say: says({ n: '=hook.n' }) }, ['Hook > Say']);
    for (const n of [1, 2, 3]) await fire({ n });
    await fabula.settled();
    const { status, body } = await removal(agents['Say']!, 'remove_events');
    expect([status, body.id]).toEqual([200, agents['Say']]);
    expect(await payloadsOf(agents['Say']!)).toEqual([]);
    expect(await payloadsOf(agents['Hook']!)).toHaveLength(3);
    expect(await removals()).toEqual([]);
    expect((await removal(agents['Say']!, 'remove_events')).status).toBe(200);
  });

  it('keeps the events of runs with dead letters or with work left', async () => {
    const { fire, agents } = await held();
    await fire({ n: 1 });
    await fabula.settled();
    expect((await removal(agents['Hook']!, 'remove_events')).status).toBe(200);
    expect(await payloadsOf(agents['Hook']!)).toEqual([{ n: 1 }]);
    const [letter] = await fabula.deadLetters();
    await fabula.api('DELETE', `/api/v1/dead_letters/${letter!.id}`);
    await removal(agents['Hook']!, 'remove_events');
    expect(await payloadsOf(agents['Hook']!)).toEqual([]);
  });

  it('keeps the response that a webhook request may still wait for', async () => {
    const story = await fabula.importStory(
      storyOf({ Hook: HOOK, Say: says({ n: '=hook.n' }) }, ['Hook > Say'], {
        synchronous_webhooks_enabled: true,
        api_exit_action_guids: ['Say'],
      }),
    );
    await fabula.fire(story.webhooks['Hook']!, { n: 1 });
    await fabula.settled();
    const agents = await agentIds(fabula, story.id);
    await removal(agents['Say']!, 'remove_events');
    expect(await payloadsOf(agents['Say']!)).toEqual([{ n: 1 }]);
    await stores.sql('UPDATE story_runs SET created_at = created_at - INTERVAL 3 MINUTE');
    await removal(agents['Say']!, 'remove_events');
    expect(await payloadsOf(agents['Say']!)).toEqual([]);
  });

  it('with async_deletion leaves them to retention, and only those of its time', async () => {
    const { fire, agents } = await importWith({ Say: says({ n: '=hook.n' }) }, ['Hook > Say']);
    await fire({ n: 1 });
    await fabula.settled();
    expect((await removal(agents['Say']!, 'remove_events', { async_deletion: true })).status).toBe(200);
    expect(await payloadsOf(agents['Say']!)).toHaveLength(1);
    await fire({ n: 2 });
    await fabula.settled();
    expect(await retain()).toMatchObject({ events: 1 });
    expect(await payloadsOf(agents['Say']!)).toEqual([{ n: 2 }]);
    expect(await removals()).toEqual([]);
  });
});

test('remove_logs removes the lines of the action alone', async () => {
  const wrong: ShortAgent = ['EventTransformation', { mode: 'delay' }];
  const { fire, agents } = await importWith({ One: wrong, Two: wrong }, ['Hook > One', 'Hook > Two']);
  await fire({});
  await fabula.settled();
  const linesOf = async (name: string) =>
    (await call(fabula, `GET /api/v1/actions/${agents[name]}/logs`)).body.action_logs as unknown[];
  expect([(await linesOf('One')).length, (await linesOf('Two')).length]).toEqual([1, 1]);
  expect((await removal(agents['One']!, 'remove_logs')).status).toBe(200);
  expect([(await linesOf('One')).length, (await linesOf('Two')).length]).toEqual([0, 1]);
});

describe('clear_memory', () => {
  it('lets values pass again that were let through before, and forgets no later ones', async () => {
    const { fire, agents } = await importWith({ Once: once({ lookback: 0 }) }, ['Hook > Once']);
    const passes = async (n: number) => {
      const before = (await payloadsOf(agents['Once']!)).length;
      await fire({ n });
      await fabula.settled();
      return (await payloadsOf(agents['Once']!)).length > before;
    };
    expect([await passes(1), await passes(1), await passes(2)]).toEqual([true, false, true]);
    expect((await removal(agents['Once']!, 'clear_memory')).status).toBe(200);
    expect([await passes(1), await passes(1), await passes(2)]).toEqual([true, false, true]);
    const values = await stores.db.read((session) => session.rows('SELECT 1 FROM deduplicated_values'));
    expect(values).toHaveLength(2);
  });

  it('beside running workers lets each value through once before it and once after it, at most', async () => {
    const { fire, agents } = await importWith({ Once: once() }, ['Hook > Once']);
    const numbers = Array.from({ length: 60 }, (_, index) => index % 20);
    await Promise.all([
      ...numbers.map((n) => fire({ n })),
      eventually(async () => (await payloadsOf(agents['Once']!)).length > 3).then(() =>
        removal(agents['Once']!, 'clear_memory'),
      ),
    ]);
    await fabula.settled();
    const passed = (await payloadsOf(agents['Once']!)).length;
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(40);
    expect(await fabula.deadLetters()).toEqual([]);
  });

  it('begins the intervals of a throttle anew, and leaves alone what waits', async () => {
    const slow: ShortAgent = ['EventTransformation', { mode: 'throttle', capacity: 1, interval: 'day' }];
    const { fire, agents } = await importWith({ Slow: slow }, ['Hook > Slow']);
    const passed = async () => (await payloadsOf(agents['Slow']!)).length;
    await fire({ n: 1 });
    await eventually(async () => (await passed()) === 1);
    await fire({ n: 2 });
    await eventually(async () => (await waiting()) === 1);
    expect((await removal(agents['Slow']!, 'clear_memory')).status).toBe(200);
    await fire({ n: 3 });
    await eventually(async () => (await passed()) === 2);
    expect(await waiting()).toBe(1);
  });
});

test('a viewer may remove nothing, and names that are not known are refused', async () => {
  const { agents } = await importWith({ Say: says({}) }, ['Hook > Say']);
  const { tenantId, team } = fabula.account;
  const viewer = await buildAccount(stores.db, { tenantId, team, role: 'VIEWER' });
  const stranger = await buildAccount(stores.db, { owner: true });
  for (const what of ['remove_events', 'remove_logs', 'clear_memory']) {
    const path = `DELETE /api/v1/agents/${agents['Say']}/${what}`;
    expect((await call(fabula, path, { as: viewer })).status).toBe(403);
    expect((await call(fabula, path, { as: stranger })).status).toBe(404);
    expect((await call(fabula, path, { body: { odd: 1 } })).status).toBe(422);
  }
});
