import { createQueues } from '../../src/engine/dispatch/queues.js';
import { sumByType } from '../../src/observe/statistics/type-sum-store.js';
import { ADMIN_BASIC } from '../support/admin-account.js';
import { startBoard } from '../support/admin.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { plansOf } from '../support/plans.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Yesterday at midnight, UTC: its hours are over, whenever the test runs. */
const yesterday = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;

interface Point {
  ts: number;
  value: number;
}

const newQueues = () =>
  createQueues({ redis: stores.redis, prefix: stores.queuePrefix, logger: stores.logger });

async function startHistory(others: Parameters<typeof startBoard>[3] = {}): Promise<TestApp> {
  return startBoard(stores, newQueues(), {}, others);
}

async function storeAgent(id: number, type: string): Promise<void> {
  await stores.sql(
    `INSERT INTO agents (id, story_id, position, type, name, guid, options, extra)
     VALUES (?, 1, 0, ?, 'Action', LPAD(?, 32, '0'), '{}', '{}')`,
    [id, `Agents::${type}Agent`, id],
  );
}

const storeHour = (id: number, at: number, counts: [events: number, dead: number, handled: number]) =>
  stores.sql(
    'INSERT INTO agent_counts (agent_id, hour, events, dead_letters, handled_failures) VALUES (?, ?, ?, ?, ?)',
    [id, new Date(at), ...counts],
  );

async function history(
  board: TestApp,
  query: Record<string, string | number>,
): Promise<Record<string, Point[]>> {
  const range = { from: yesterday - DAY_MS, to: Date.now() };
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...range, ...query })) asked.set(name, String(value));
  const response = await fetch(`${board.url}/admin/queues/api/metrics/history?${asked.toString()}`, {
    headers: ADMIN_BASIC,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, Point[]>;
}

/** A chart waits for its days only so long: on a busy machine they come with a later request. */
async function shows(
  board: TestApp,
  query: Record<string, string | number>,
  expected: object,
): Promise<void> {
  let found: Record<string, Point[]> = {};
  await eventually(async () => {
    found = await history(board, query);
    return Object.entries(expected).every(([name, points]) => sameText(found[name], points));
  }).catch(() => undefined);
  expect(found).toMatchObject(expected);
}

const sameText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

describe('with counts of three actions', () => {
  beforeEach(async () => {
    await storeAgent(1, 'HTTPRequest');
    await storeAgent(2, 'HTTPRequest');
    await storeAgent(3, 'Email');
    await storeAgent(4, 'Webhook');
    await storeHour(1, yesterday, [10, 1, 2]);
    await storeHour(2, yesterday, [5, 0, 0]);
    await storeHour(2, yesterday + 3 * HOUR_MS, [7, 0, 0]);
    await storeHour(1, yesterday - DAY_MS, [1, 0, 0]);
    await storeHour(3, yesterday, [100, 4, 0]);
    await storeHour(4, yesterday, [1000, 0, 0]);
  });

  test('a queue has the events and failures of its actions, by day', async () => {
    const board = await startHistory();
    await shows(
      board,
      { queue: 'http-request' },
      {
        completed: [
          { ts: yesterday - DAY_MS, value: 1 },
          { ts: yesterday, value: 20 },
        ],
        failed: [
          { ts: yesterday - DAY_MS, value: 0 },
          { ts: yesterday, value: 3 },
        ],
      },
    );
    await shows(board, { queue: 'email' }, { failed: [{ ts: yesterday, value: 4 }] });
  });

  test('hours stand by themselves, within the range alone', async () => {
    const board = await startHistory();
    const range = { from: yesterday, to: yesterday + 2 * HOUR_MS, granularity: 'hour' };
    await shows(board, { ...range, queue: 'http-request' }, { completed: [{ ts: yesterday, value: 13 }] });
  });

  test('all queues together count webhooks too, whose calls have no job', async () => {
    await shows(await startHistory(), { from: yesterday }, { completed: [{ ts: yesterday, value: 1120 }] });
  });

  test('what is not counted has no history', async () => {
    const board = await startHistory();
    expect(await history(board, { metric: 'queueage' })).toEqual({ queueage: [] });
    expect(await history(board, { queue: 'webhook-events' })).toEqual({ completed: [], failed: [] });
  });

  test('a day is read once for all charts, and a range of years reads no more than its last days', async () => {
    let reads = 0;
    const board = await startHistory({
      database: { read: (work) => stores.db.read(work).finally(() => (reads += 1)) },
    });
    const expected = { completed: [{ ts: yesterday, value: 100 }] };
    await Promise.all(Array.from({ length: 6 }, () => shows(board, { from: 0, queue: 'email' }, expected)));
    expect(reads).toBeLessThan(2 * 92);
  });

  test('while MySQL is away, the history is what was read before', async () => {
    let away = false;
    const board = await startHistory({
      database: { read: (work) => (away ? Promise.reject(new Error('away')) : stores.db.read(work)) },
    });
    const before = { completed: [{ ts: yesterday, value: 100 }], failed: [{ ts: yesterday, value: 4 }] };
    await shows(board, { from: yesterday, queue: 'email' }, before);
    away = true;
    expect(await history(board, { from: yesterday, queue: 'email' })).toEqual(before);
    expect(await history(board, { from: yesterday - 5 * DAY_MS, queue: 'email' })).toEqual(before);
  });
});

test('the sums of a day are read by its hours', async () => {
  const numbers = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => n + 1));
  await stores.sql(
    `INSERT INTO agent_counts (agent_id, hour, events)
     SELECT v.n, '2026-01-01' + INTERVAL v.n HOUR, 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
    [numbers],
  );
  await stores.sql('ANALYZE TABLE agent_counts, agents');
  const day = { from: new Date('2026-01-02'), to: new Date('2026-01-03') };
  const plans = await plansOf(
    stores.db,
    (session) => sumByType(session, day),
    (rows) => rows.map(({ table, type, key }) => `${table}:${key}:${type}`).join(' '),
  );
  expect(plans).toEqual(['x:agent_counts_hour:range a:PRIMARY:eq_ref']);
});
