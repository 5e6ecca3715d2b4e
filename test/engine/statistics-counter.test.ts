import { createStatisticsCounter } from '../../src/observe/statistics/count/statistics-counter.js';
import { findUncounted } from '../../src/observe/statistics/count/uncounted-store.js';
import { createCountingSteps } from '../../src/observe/statistics/count/counting-steps.js';
import { findFreshness } from '../../src/observe/statistics/freshness-store.js';
import { listSlowAgents } from '../../src/observe/statistics/statistics-page-store.js';
import { sumByMinute } from '../../src/observe/statistics/minute-sum-store.js';
import { sumByAgent, sumByStory, sumByTime } from '../../src/observe/statistics/statistics-sum-store.js';
import type { Database } from '../../src/platform/mysql/database.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const STORY = 7;
const AGENT = 70;
const AGES_AGO = 600;

const counter = (
  options: { holdBackSeconds?: number; database?: Pick<Database, 'read' | 'transaction'> } = {},
) => createStatisticsCounter({ database: stores.db, keptDays: 90, logger: stores.logger, ...options });

let guids = 0;
/** Stores a run of so many events, which began some seconds ago. */
async function storeRun({ events = 1, secondsAgo = AGES_AGO, source = 'webhook' } = {}): Promise<string> {
  guids += 1;
  const guid = `run-${guids}`;
  await stores.sql(
    'INSERT INTO story_runs (guid, story_id, source, created_at) VALUES (?, ?, ?, NOW(3) - INTERVAL ? SECOND)',
    [guid, STORY, source, secondsAgo],
  );
  for (let n = 0; n < events; n += 1) await storeEvent(guid, secondsAgo);
  return guid;
}

const storeEvent = (guid: string, secondsAgo = AGES_AGO) =>
  stores.sql(
    `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage, created_at)
     VALUES (?, ?, ?, '{}', '{}', NOW(3) - INTERVAL ? SECOND)`,
    [guid, STORY, AGENT, secondsAgo],
  );

const storeDelivery = (guid: string, state: string, secondsAgo = AGES_AGO) =>
  stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, due_at, failed_at)
     VALUES (?, ?, ?, 1, 'email', 1, ?, NOW(3) - INTERVAL ? SECOND, NOW(3) - INTERVAL ? SECOND)`,
    [guid, STORY, AGENT, state, secondsAgo, secondsAgo],
  );

const range = () => ({ from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) });
const sums = async () =>
  (await stores.db.read((session) => sumByStory(session, [STORY], range()))).get(STORY);
const eventsOfAgent = async () =>
  (await stores.db.read((session) => sumByAgent(session, [AGENT], range()))).get(AGENT)?.events ?? 0;

interface MinuteRow {
  minute: string;
  started: number;
  ended: number;
  failed: number;
  cancelled: number;
  events: number;
  deadLetters: number;
}

/** The minutes of the story, the oldest first. */
const minutes = () =>
  stores.db.read((session) =>
    session.rows<MinuteRow>(
      `SELECT DATE_FORMAT(minute, '%H:%i:%s') AS minute, runs_started AS started, runs_ended AS ended,
              runs_failed AS failed, runs_cancelled AS cancelled, events, dead_letters AS deadLetters
       FROM story_minutes WHERE story_id = ? ORDER BY story_minutes.minute`,
      [STORY],
    ),
  );
const inMinutes = async (name: Exclude<keyof MinuteRow, 'minute'>) =>
  (await minutes()).reduce((sum, row) => sum + row[name], 0);

/** Ends like a process that is killed in its first transaction. */
const dies = (when: 'before' | 'after'): Pick<Database, 'read' | 'transaction'> => ({
  read: (work) => stores.db.read(work),
  transaction: async (work) => {
    await stores.db.transaction(async (session) => {
      await work(session);
      if (when === 'before') throw new Error('killed');
    });
    throw new Error('killed');
  },
});

it('counts each row once, however often and by however many it is asked', async () => {
  for (let run = 0; run < 5; run += 1) await storeRun({ events: 3 });
  await storeDelivery(await storeRun({ source: 'api' }), 'failed');
  const counters = [counter(), counter(), counter()];
  for (let time = 0; time < 4; time += 1) await Promise.all(counters.map(({ tick }) => tick()));
  expect(await sums()).toMatchObject({
    runsStarted: 6,
    runsEnded: 6,
    runsFailed: 1,
    webhookCalls: 5,
    events: 16,
    deadLetters: 1,
  });
  expect(await eventsOfAgent()).toBe(16);
  expect([await inMinutes('started'), await inMinutes('ended'), await inMinutes('failed')]).toEqual([
    6, 6, 1,
  ]);
  expect([await inMinutes('events'), await inMinutes('deadLetters')]).toEqual([16, 1]);
});

it('neither loses nor doubles a row when the process ends before COMMIT, or after it', async () => {
  for (let run = 0; run < 4; run += 1) await storeRun({ events: 2 });
  await expect(counter({ database: dies('before') }).tick()).rejects.toThrow('killed');
  expect([await sums(), await minutes()]).toEqual([undefined, []]);
  // Events, then starts of runs: both are committed.
  for (let time = 0; time < 2; time += 1) {
    await expect(counter({ database: dies('after') }).tick()).rejects.toThrow('killed');
  }
  await counter().tick();
  expect(await sums()).toMatchObject({ runsStarted: 4, runsEnded: 4, webhookCalls: 4, events: 8 });
  expect([await inMinutes('started'), await inMinutes('ended'), await inMinutes('events')]).toEqual([
    4, 4, 8,
  ]);
});

it('counts starts, events and ends in the minutes in which they were, also where a minute ends', async () => {
  const minute = Math.floor(Date.now() / 60_000 - 30) * 60_000;
  const at = (ms: number) => new Date(minute + ms).toISOString();
  const time = (ms: number) => at(ms).slice(0, -1).replace('T', ' ');
  const [first, second] = [await storeRun({ events: 2 }), await storeRun({ events: 1 })];
  await storeDelivery(second, 'failed');
  await stores.sql('UPDATE story_runs SET created_at = ?', [time(59_999)]);
  await stores.sql('UPDATE story_runs SET cancelled_at = ? WHERE guid = ?', [time(179_999), first]);
  await stores.sql('UPDATE events SET created_at = ?', [time(60_000)]);
  await stores.sql('UPDATE deliveries SET due_at = ?, failed_at = ?', [time(120_000), time(120_000)]);
  await counter().tick();
  const nothing = { started: 0, ended: 0, failed: 0, cancelled: 0, events: 0, deadLetters: 0 };
  expect(await minutes()).toEqual([
    { ...nothing, minute: at(0).slice(11, 19), started: 2 },
    { ...nothing, minute: at(60_000).slice(11, 19), events: 3 },
    { ...nothing, minute: at(120_000).slice(11, 19), ended: 2, failed: 1, cancelled: 1, deadLetters: 1 },
  ]);
});

it('keeps minutes for six hours, and adds what is older to hours alone', async () => {
  await storeRun({ secondsAgo: 7 * 3_600 });
  await storeRun();
  await counter().tick();
  expect(await sums()).toMatchObject({ runsStarted: 2, runsEnded: 2, events: 2 });
  const kept = await minutes();
  expect(kept).toMatchObject([{ started: 1, ended: 1, events: 1 }]);
  const old = Array.from({ length: 2_500 }, (_, n) => [STORY, 361 + n]);
  await stores.sql(
    `INSERT INTO story_minutes (story_id, minute)
     SELECT v.story_id, UTC_TIMESTAMP() - INTERVAL v.ago MINUTE FROM
       JSON_TABLE(?, '$[*]' COLUMNS (story_id INT PATH '$[0]', ago INT PATH '$[1]')) v`,
    [JSON.stringify(old)],
  );
  expect(await minutes()).toHaveLength(2_501);
  await counter().tick();
  expect(await minutes()).toEqual(kept);
});

it('counts rows that become visible after rows with higher ids', async () => {
  const first = await storeRun();
  await stores.db.transaction(async (session) => {
    await session.run(
      `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage, created_at)
       VALUES (?, ?, ?, '{}', '{}', NOW(3) - INTERVAL 600 SECOND)`,
      [first, STORY, AGENT],
    );
    await session.run(
      "INSERT INTO story_runs (guid, story_id, source, created_at) VALUES ('slow', ?, 'api', NOW(3) - INTERVAL 600 SECOND)",
      [STORY],
    );
    await storeEvent(first);
    await storeRun();
    await counter().tick();
    // They are old enough, but rows below them may still appear.
    expect(await sums()).toBeUndefined();
  });
  await counter().tick();
  expect(await sums()).toMatchObject({ runsStarted: 3, runsEnded: 3, events: 4 });
});

it('counts on when a transaction that took ids has rolled back', async () => {
  const guid = await storeRun();
  await stores.db
    .transaction(async (session) => {
      await session.run(
        "INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) VALUES ('x', 1, 1, '{}', '{}')",
      );
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await storeEvent(guid);
  await counter().tick();
  expect(await eventsOfAgent()).toBe(2);
});

it('holds back rows that are young, and tells until when it has counted', async () => {
  await storeRun({ secondsAgo: 6_000 });
  await storeRun({ secondsAgo: 0 });
  await storeRun({ secondsAgo: 5_000 });
  await storeDelivery('none', 'failed', 0);
  await counter({ holdBackSeconds: 1_000 }).tick();
  expect(await sums()).toMatchObject({ runsStarted: 1, events: 1, deadLetters: 0 });
  const behind = await stores.db.read(findFreshness);
  expect(behind.countedUntil.getTime()).toBeLessThanOrEqual(behind.now.getTime());
  await counter({ holdBackSeconds: 0 }).tick();
  expect(await sums()).toMatchObject({ runsStarted: 3, events: 3, deadLetters: 1 });
  const { now, countedUntil } = await stores.db.read(findFreshness);
  expect(countedUntil).toEqual(now);
});

it('tells that it is behind, when it has counted nothing yet', async () => {
  await storeRun({ secondsAgo: 3_000 });
  const { now, countedUntil } = await stores.db.read(findFreshness);
  expect(now.getTime() - countedUntil.getTime()).toBeGreaterThanOrEqual(3_000_000);
});

it('counts the end of a run when it ends, with its time', async () => {
  const guid = await storeRun({ secondsAgo: 100 });
  await storeDelivery(guid, 'waiting');
  await counter().tick();
  await counter().tick();
  expect(await sums()).toMatchObject({ runsStarted: 1, runsEnded: 0, durations: [] });
  await storeEvent(guid, 40);
  await stores.sql('DELETE FROM deliveries');
  await counter().tick();
  await counter().tick();
  expect(await sums()).toMatchObject({ runsStarted: 1, runsEnded: 1, runsFailed: 0, events: 2 });
  const { durationMs, durations } = (await sums())!;
  expect([durationMs >= 60_000, durations.map(({ runs }) => runs)]).toEqual([true, [1]]);
  expect(await stores.db.read(findUncounted)).toEqual([]);
});

it('counts cancelled runs apart, and failures that went down failure links', async () => {
  const guid = await storeRun();
  await storeDelivery(guid, 'failed');
  await stores.sql('UPDATE story_runs SET cancelled_at = NOW(3)');
  await stores.sql(
    'INSERT INTO event_marks (event_id, story_id, agent_id, failure, reemitted) SELECT id, story_id, agent_id, TRUE, FALSE FROM events',
  );
  await counter().tick();
  expect(await sums()).toMatchObject({ runsEnded: 1, runsFailed: 0, runsCancelled: 1, handledFailures: 1 });
});

it('forgets an open run that was deleted', async () => {
  await storeDelivery(await storeRun(), 'waiting');
  await counter().tick();
  await stores.sql('DELETE FROM story_runs');
  await counter().tick();
  expect([await sums(), await stores.db.read(findUncounted)]).toEqual([
    expect.objectContaining({ runsStarted: 1, runsEnded: 0 }),
    [],
  ]);
});

it('counts a dead letter again when it fails again, and many of the same moment once each', async () => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ at: string }>(
      "SELECT DATE_FORMAT(NOW(3) - INTERVAL 5 HOUR, '%Y-%m-%d %H:00:00.000') AS at",
    ),
  );
  const values = Array.from({ length: 2_500 }, () => ['r', STORY, AGENT, 1, 'email', 1, 'failed', row!.at]);
  await stores.sql(
    'INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, due_at) VALUES ?',
    [values],
  );
  await counter().tick();
  await stores.sql('UPDATE deliveries SET due_at = due_at + INTERVAL 1 HOUR ORDER BY id LIMIT 3');
  await counter().tick();
  await counter().tick();
  expect((await sums())?.deadLetters).toBe(2_503);
});

it('deletes hours that are too old', async () => {
  await storeRun();
  await storeRun({ secondsAgo: 91 * 86_400 });
  await counter().tick();
  const rows = await stores.db.read((session) =>
    session.rows('SELECT story_id AS id FROM story_counts UNION ALL SELECT agent_id FROM agent_counts'),
  );
  expect(rows).toEqual([{ id: STORY }, { id: AGENT }]);
});

it('keeps its sums when retention deletes rows, and counts what is left once its tables are empty', async () => {
  const [first] = [await storeRun({ events: 3 }), await storeRun({ events: 2 })];
  await counter().tick();
  const gone = await storeRun({ events: 4 });
  const remove = (guid: string) => stores.sql('DELETE FROM events WHERE story_run_guid = ?', [guid]);
  await remove(first);
  await remove(gone);
  await counter().tick();
  // A row that was deleted before it was counted is never counted.
  expect(await eventsOfAgent()).toBe(5);
  for (const table of ['story_counts', 'story_minutes', 'agent_counts', 'duration_counts', 'uncounted_ends'])
    await stores.sql(`DELETE FROM ${table}`);
  await stores.sql("DELETE FROM counting_positions WHERE name <> 'run_values'");
  await counter().tick();
  expect([await eventsOfAgent(), await inMinutes('events')]).toEqual([2, 2]);
});

it('asks once and writes nothing when there is nothing to count', async () => {
  await storeRun();
  const one = counter();
  await one.tick();
  let statements = 0;
  const database: Pick<Database, 'read' | 'transaction'> = {
    read: (work) =>
      stores.db.read((session) => {
        statements += 1;
        return work({ ...session, run: () => Promise.reject(new Error('wrote')) });
      }),
    transaction: () => Promise.reject(new Error('wrote')),
  };
  const idle = createStatisticsCounter({ database, keptDays: 90, logger: stores.logger });
  await expect(idle.tick()).rejects.toThrow('wrote');
  // Old hours are deleted in its first pass, and once an hour.
  expect(statements).toBe(2);
});

/** `table:index` of each table, without derived ones. */
const planOf = (rows: PlanRow[]) =>
  rows
    .flatMap(({ table, type, key }) =>
      table === null || table.startsWith('<') ? [] : [`${table}:${type === 'ALL' ? 'ALL' : key}`],
    )
    .toSorted()
    .join(' ');

const plans = async (work: Parameters<typeof plansOf>[1]) =>
  (await plansOf(stores.db, work, planOf)).toSorted();

describe('plans, with many rows', () => {
  beforeEach(async () => {
    const numbers = JSON.stringify(Array.from({ length: 10_000 }, (_, n) => n));
    const from = "JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v";
    await stores.sql(
      `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) SELECT v.n, v.n % 50, 1, '{}', '{}' FROM ${from}`,
      [numbers],
    );
    await stores.sql(
      `INSERT INTO story_runs (guid, story_id, source) SELECT v.n, v.n % 50, 'api' FROM ${from}`,
      [numbers],
    );
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, due_at)
       SELECT v.n, v.n % 50, 1, 1, 'email', 1, IF(v.n % 2 = 0, 'failed', 'pending'), NOW(3) FROM ${from}`,
      [numbers],
    );
    await stores.sql('ANALYZE TABLE events, story_runs, deliveries');
    await counter({ holdBackSeconds: 0 }).tick();
    await stores.sql(
      'ANALYZE TABLE story_counts, story_minutes, agent_counts, duration_counts, uncounted_ends',
    );
  });

  it('looks for rows at the ends of indexes only', async () => {
    const found = await plans(findUncounted);
    expect(found.join('\n')).toBe('deliveries:deliveries_due p:ALL');
  });

  it('counts by primary keys and the indexes of runs', async () => {
    const steps = createCountingSteps(0);
    const [last] = await stores.db.read((session) =>
      session.rows<{ id: number }>('SELECT MAX(id) - 100 AS id FROM events'),
    );
    for (const kind of ['events', 'runs', 'dead_letters', 'ends'] as const) {
      const position = { afterId: kind === 'events' ? last!.id : 5_000, afterAt: '2026-01-01 00:00:00' };
      const found = await plans((session) =>
        steps[kind]({ ...session, run: async () => ({ affectedRows: 0, insertId: 0 }) }, position),
      );
      expect(found.join('\n')).not.toMatch(/\bALL\b|null/);
    }
  });

  it('reads sums by primary keys', async () => {
    const found = [
      ...(await plans((session) => sumByStory(session, [1, 2], range()))),
      ...(await plans((session) => sumByAgent(session, [1], range()))),
    ];
    expect(found).toEqual(['x:PRIMARY', 'x:PRIMARY']);
    const scope = { tenantId: 1, teamIds: [1], ofDrafts: false };
    const byTime = await plans((session) => sumByTime(session, scope, { ...range(), step: 3_600_000 }));
    expect(byTime.join('\n')).not.toMatch(/x:(?!PRIMARY)/);
    const byMinute = await plans((session) => sumByMinute(session, scope, range()));
    expect(byMinute.join('\n')).toMatch(/x:PRIMARY/);
    expect(byMinute.join('\n')).not.toMatch(/s:ALL/);
    const page = { range: range(), window: { offset: 0, limit: 8 } };
    const slowest = await plans((session) => listSlowAgents(session, scope, page));
    expect(slowest.join('\n')).toMatch(/a:agents_story.* x:PRIMARY/);
    expect(slowest.join('\n')).not.toMatch(/ALL/);
    expect((await plans(findFreshness)).join('\n')).not.toMatch(/(?<!counting_positions:)ALL|null/);
  });
});
