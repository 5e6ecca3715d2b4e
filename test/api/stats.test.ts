import { buildAccount, type Account } from '../support/builders.js';
import { places, TIME } from '../support/manage-api.js';
import { agentIds, call, says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { createStatisticsCounter } from '../../src/observe/statistics/count/statistics-counter.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const small = storyOf({ Hook: ['Webhook', {}], Say: says({ n: '=hook.body.n' }) }, ['Hook > Say']);
const failing = storyOf({ Hook: ['Webhook', {}], Mail: ['Email', {}] }, ['Hook > Mail']);
const rescued = storyOf(
  {
    Hook: ['Webhook', {}],
    Wait: ['EventTransformation', { mode: 'delay' }],
    Rescue: says({ rescued: true }),
  },
  ['Hook > Wait', 'Wait # Rescue'],
);

async function ran(data: ReturnType<typeof storyOf>, calls: number) {
  const story = await fabula.importStory(data);
  for (let n = 0; n < calls; n += 1) await fabula.fire(story.webhooks['Hook']!, { n });
  await fabula.settled();
  return story.id;
}

const count = () =>
  createStatisticsCounter({
    database: stores.db,
    keptDays: 90,
    holdBackSeconds: 0,
    logger: stores.logger,
  }).tick();

interface Item {
  story_id: number | null;
  action_name: string | null;
  [name: string]: unknown;
}

async function stats(query = '', as?: Account): Promise<Item[]> {
  const { body } = await call(fabula, `GET /api/v1/stats?${query}`, as === undefined ? {} : { as });
  return (body as { stats: Item[] }).stats;
}

/** A time so many minutes ago, for a query. */
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const started = (items: Item[]) => items.map((item) => [item.story_id, item['runs_started']]);
const worked = (items: Item[]) => items.map((item) => [item['action_id'], item['mean_work'], item['events']]);
const sumOf = (items: Item[], name: string) => items.reduce((sum, item) => sum + Number(item[name]), 0);

async function countOf(sql: string): Promise<number> {
  const [row] = await stores.db.read((session) => session.rows<{ count: number }>(sql));
  return row!.count;
}

it('counts as the tables do, by story, action, minute, hour and day', async () => {
  const one = await ran(small, 4);
  const two = await ran(failing, 2);
  const three = await ran(rescued, 1);
  await call(fabula, `POST /api/v1/stories/${one}/runs`, { body: { payload: {} } });
  await fabula.settled();
  await count();

  const stories = await stats('by=story');
  expect(stories.map(({ story_id }) => story_id)).toEqual([one, two, three]);
  for (const { story_id: id, ...item } of stories) {
    expect(item).toMatchObject({
      story_name: 'Story',
      action_id: null,
      runs_started: await countOf(`SELECT COUNT(*) AS count FROM story_runs WHERE story_id = ${id}`),
      runs_ended: item['runs_started'],
      webhook_calls: await countOf(
        `SELECT COUNT(*) AS count FROM story_runs WHERE story_id = ${id} AND source = 'webhook'`,
      ),
      events: await countOf(`SELECT COUNT(*) AS count FROM events WHERE story_id = ${id} AND agent_id <> 0`),
      dead_letters: await countOf(
        `SELECT COUNT(*) AS count FROM deliveries WHERE story_id = ${id} AND state = 'failed'`,
      ),
    });
  }
  expect(
    stories.map((item) => [item['failure_rate'], item['runs_failed'], item['handled_failures']]),
  ).toEqual([
    [0, 0, 0],
    [1, 2, 0],
    [0, 0, 1],
  ]);
  for (const { mean_duration: mean, p95_duration: p95 } of stories) {
    expect(mean).toBeGreaterThanOrEqual(0);
    expect(p95).toBeGreaterThan(0);
  }

  for (const by of ['minute', 'hour', 'day']) {
    const items = await stats(`by=${by}`);
    for (const name of [
      'runs_started',
      'runs_ended',
      'runs_failed',
      'webhook_calls',
      'events',
      'dead_letters',
    ]) {
      expect([by, name, sumOf(items, name)]).toEqual([by, name, sumOf(stories, name)]);
    }
  }

  const actions = await stats(`by=action&story_id=${two}`);
  const ids = await agentIds(fabula, two);
  expect(
    actions.map((item) => [
      item['action_id'],
      item['action_name'],
      item['webhook_calls'],
      item['events'],
      item['dead_letters'],
      item['runs_started'],
    ]),
  ).toEqual([
    [ids['Hook'], 'Hook', 2, 2, 0, null],
    [ids['Mail'], 'Mail', 0, 0, 2, null],
  ]);
});

it('gives the actions that worked longest for an event first, apart from those that did not work', async () => {
  const story = await ran(small, 2);
  const ids = await agentIds(fabula, story);
  const other = await ran(small, 1);
  const slow = (await agentIds(fabula, other))['Say']!;
  await stores.sql('UPDATE events SET work_ms = 40 WHERE agent_id = ?', [ids['Say']!]);
  await stores.sql('UPDATE events SET work_ms = 1500 WHERE agent_id = ?', [slow]);
  await stores.sql('UPDATE events SET work_ms = NULL WHERE agent_id NOT IN (?)', [[ids['Say']!, slow]]);
  await count();

  const { body } = await call(fabula, 'GET /api/v1/stats?by=action&order=mean_work');
  expect(worked(body.stats)).toEqual([
    [slow, 1.5, 1],
    [ids['Say'], 0.04, 2],
  ]);
  expect(body.meta.count).toBe(2);
  const second = await call(fabula, 'GET /api/v1/stats?by=action&order=mean_work&per_page=1&page=2');
  expect([worked(second.body.stats), second.body.meta.count]).toEqual([[[ids['Say'], 0.04, 2]], 2]);
  expect(worked(await stats(`by=action&order=mean_work&story_id=${other}`))).toEqual([[slow, 1.5, 1]]);
  const byId = await stats(`by=action&story_id=${story}`);
  expect(byId.map((item) => item['mean_work'])).toEqual([null, 0.04]);

  const stranger = await buildAccount(stores.db, { owner: true });
  expect(await stats('by=action&order=mean_work', stranger)).toEqual([]);
  const longer = await call(
    fabula,
    'GET /api/v1/stats?by=action&order=mean_work&from=2026-01-01&to=2026-01-03',
  );
  expect(longer.status).toBe(422);
  expect(places(longer)).toEqual(['from']);
  expect(places(await call(fabula, 'GET /api/v1/stats?by=hour&order=mean_work'))).toEqual(['order']);
});

it('tells until when it has counted', async () => {
  await ran(small, 1);
  const behind = (await call(fabula, 'GET /api/v1/stats')).body;
  expect([behind.stats[0].runs_started, behind.counted_until]).toEqual([0, TIME]);
  await count();
  const { stats: items, lag_seconds } = (await call(fabula, 'GET /api/v1/stats')).body;
  expect([items[0].runs_started, lag_seconds]).toEqual([1, 0]);
});

it('has zeros where nothing happened, newest first, page by page', async () => {
  const query = 'by=hour&from=2026-01-01T10:30:00Z&to=2026-01-01T15:00:00Z';
  const { body } = await call(fabula, `GET /api/v1/stats?${query}&per_page=2&page=2`);
  expect([body.from, body.to, body.meta.count, body.meta.pages]).toEqual([
    '2026-01-01T10:00:00Z',
    '2026-01-01T15:00:00Z',
    5,
    3,
  ]);
  expect(body.stats.map(({ from, to, events }: Item) => [from, to, events])).toEqual([
    ['2026-01-01T12:00:00Z', '2026-01-01T13:00:00Z', 0],
    ['2026-01-01T11:00:00Z', '2026-01-01T12:00:00Z', 0],
  ]);
  const days = (await call(fabula, 'GET /api/v1/stats?by=day&from=2026-01-01&to=2026-01-03T01:00:00Z')).body;
  expect(days.stats.map(({ from }: Item) => from)).toEqual([
    '2026-01-03T00:00:00Z',
    '2026-01-02T00:00:00Z',
    '2026-01-01T00:00:00Z',
  ]);
});

it('gives the minutes of the last hour, newest first, and those of a range', async () => {
  await ran(small, 2);
  await count();
  const { body } = await call(fabula, 'GET /api/v1/stats?by=minute&per_page=60');
  const items = body.stats as Item[];
  expect([items.length, body.meta.count]).toEqual([60, expect.any(Number)]);
  const times = items.map(({ from }) => Date.parse(String(from)));
  expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) - index * 60_000));
  expect(times.filter((time) => time % 60_000 !== 0)).toEqual([]);
  expect(Date.parse(body.counted_until) - (times[0] ?? 0)).toBeLessThan(120_000);
  expect(sumOf(items, 'runs_ended')).toBe(2);
  const full = items.find((item) => item['runs_started'] === 2 || item['runs_started'] === 1);
  expect(full).toMatchObject({ story_id: null, action_id: null, mean_duration: null, p95_duration: null });

  const range = (await call(fabula, `GET /api/v1/stats?by=minute&from=${ago(90)}&to=${ago(60)}`)).body;
  expect([31, 30]).toContain(range.meta.count);
  expect(sumOf(range.stats, 'runs_started')).toBe(0);
});

const countedSince = async (by: string) =>
  (await call(fabula, `GET /api/v1/stats?by=${by}`)).body.counted_since;

it('tells since when minutes are counted, of which alone there is no history', async () => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ at: Date }>("SELECT migration_time AS at FROM migrations WHERE name LIKE '%baseline'"),
  );
  expect(Date.parse(await countedSince('minute'))).toBe(row!.at.getTime());
  for (const by of ['story', 'action', 'hour', 'day']) expect(await countedSince(by)).toBeNull();
});

it('counts drafts apart', async () => {
  const live = await ran(small, 1);
  const draft = (await call(fabula, `POST /api/v1/stories/${live}/drafts`, { body: { name: 'Try' } })).body;
  await call(fabula, `POST /api/v1/stories/${draft.id}/runs`, { body: { payload: {} } });
  await fabula.settled();
  await count();
  expect(started(await stats())).toEqual([[live, 1]]);
  expect(started(await stats('test_mode=true'))).toEqual([[draft.id, 1]]);
  expect(started(await stats(`story_id=${draft.id}`))).toEqual([[draft.id, 1]]);
  expect(sumOf(await stats('by=hour'), 'runs_started')).toBe(1);
  expect(sumOf(await stats('by=minute'), 'runs_started')).toBe(1);
  expect(sumOf(await stats(`by=minute&story_id=${draft.id}`), 'runs_started')).toBe(1);
  expect(sumOf(await stats('by=day&test_mode=true'), 'runs_started')).toBe(1);
  expect(await stats('by=action&test_mode=true')).toHaveLength(2);
});

it('shows nobody the counts of others', async () => {
  const id = await ran(small, 2);
  await count();
  const other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId });
  const stranger = await buildAccount(stores.db, { owner: true });
  const viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
  for (const as of [other, stranger]) {
    for (const by of ['story', 'action']) expect(await stats(`by=${by}`, as)).toEqual([]);
    for (const by of ['minute', 'hour', 'day']) expect(sumOf(await stats(`by=${by}`, as), 'events')).toBe(0);
    for (const query of [`story_id=${id}`, `team_id=${fabula.account.team.id}`]) {
      expect((await call(fabula, `GET /api/v1/stats?${query}`, { as })).status).toBe(404);
    }
  }
  expect(sumOf(await stats('by=hour', viewer), 'events')).toBe(4);
  expect(sumOf(await stats('by=minute', viewer), 'events')).toBe(4);
  const own = await stats(`team_id=${fabula.account.team.id}`);
  expect(own).toHaveLength(1);
});

it('refuses by name what it cannot count', async () => {
  const wrong = await call(
    fabula,
    'GET /api/v1/stats?by=week&from=yesterday&story_id=x&test_mode=7&colour=red',
  );
  expect(new Set(places(wrong))).toEqual(new Set(['by', 'from', 'story_id', 'test_mode', 'colour']));
  for (const range of ['from=2026-01-02&to=2026-01-01', 'from=2026-01-01&to=2026-03-01', 'from=2999-01-01']) {
    const { status, body } = await call(fabula, `GET /api/v1/stats?${range}`);
    expect([range, status, body.errors[0].details]).toEqual([range, 422, 'from']);
  }
});

it('refuses a range of minutes that is too long or no longer kept, and says which', async () => {
  const problems = async (query: string) => {
    const { status, body } = await call(fabula, `GET /api/v1/stats?by=minute&${query}`);
    return [status, ...(body.errors as { message: string; details: string }[]).map(({ message }) => message)];
  };
  expect(await problems(`from=${ago(181)}`)).toEqual([422, 'from may be at most 3 hours before to']);
  expect(await problems(`from=${ago(365)}&to=${ago(300)}`)).toEqual([
    422,
    'from may be at most 6 hours ago: older minutes are not kept',
  ]);
  expect(await problems(`from=${ago(10)}&to=${ago(20)}`)).toEqual([422, 'from must be before to']);
  expect((await call(fabula, `GET /api/v1/stats?by=minute&from=${ago(179)}`)).status).toBe(200);
  expect((await call(fabula, `GET /api/v1/stats?by=minute&from=${ago(355)}&to=${ago(300)}`)).status).toBe(
    200,
  );
});
