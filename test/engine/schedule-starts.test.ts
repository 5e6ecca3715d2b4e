import { NO_QUOTAS, type TenantQuotas } from '../../src/people/quotas/tenant-quotas.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { createScheduler } from '../../src/engine/accept/scheduler.js';
import type { JsonObject } from '../../src/platform/json.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import type { JobRef } from '../../src/engine/state/deliveries/delivery-job.js';
import { eventually } from '../support/eventually.js';
import { makeTeam, type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useStoryApi } from '../support/story-api.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();
const api = useStoryApi(stores);

const LONGEST_TEST_SECONDS = 15;

interface ScheduleRow {
  agent: string;
  cron: string;
  nextInMs: number;
  nextAt: Date;
  lastAt: Date | null;
}

const rows = <Row>(sql: string, values: (string | number)[] = []) =>
  stores.db.read((session) => session.rows<Row>(sql, values));

const schedules = () =>
  rows<ScheduleRow>(
    `SELECT a.name AS agent, s.cron, s.next_at AS nextAt, s.last_at AS lastAt,
            TIMESTAMPDIFF(MICROSECOND, NOW(3), s.next_at) DIV 1000 AS nextInMs
     FROM schedules s JOIN agents a ON a.id = s.agent_id ORDER BY s.id`,
  );
const runs = async () =>
  (
    await rows<{ agent: string }>(
      `SELECT a.name AS agent FROM deliveries d JOIN agents a ON a.id = d.agent_id ORDER BY d.id`,
    )
  ).map(({ agent }) => agent);
const count = async (table: string) =>
  (await rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))[0]!.n;
/** Has every schedule's time come so long ago. */
const makeDue = (secondsAgo = 1) =>
  stores.sql('UPDATE schedules SET next_at = NOW(3) - INTERVAL ? SECOND', [secondsAgo]);

/** A schedule whose own time came in the middle of a test would start one run more: all of them are for whole minutes. */
beforeEach(() =>
  eventually(async () => {
    const [now] = await rows<{ left: number }>('SELECT 60 - SECOND(NOW()) AS `left`');
    return now!.left > LONGEST_TEST_SECONDS;
  }, 25_000),
);

function recordingScheduler(
  database: Database = stores.db,
  quotas: Pick<TenantQuotas, 'arrivalRefusal' | 'addOfStory'> = NO_QUOTAS,
) {
  const jobs: JobRef[] = [];
  const scheduler = createScheduler({
    quotas,
    database,
    dispatcher: { dispatch: (added) => void jobs.push(...added) },
    newRunGuid,
    logger: createSilentLogger(),
  });
  return { scheduler, jobs };
}

const message = (schedule: JsonObject['x'], rest: JsonObject = {}): ShortAgent => [
  'EventTransformation',
  { mode: 'message_only', payload: { a: 1 } },
  { schedule: schedule ?? null, ...rest },
];

/** A story whose action A starts by itself every five minutes, unless told otherwise. */
async function story(
  agents: Record<string, ShortAgent> = { A: message({ cron: '*/5 * * * *' }) },
  overrides = {},
) {
  const actor = await makeTeam(stores.db);
  const body = { new_name: 'Scheduled', data: storyOf(agents, [], overrides), team_id: actor.teamId };
  return (await api.stories.import(actor, body)).story;
}

describe('a schedule whose time has come', () => {
  test('starts one run: with an empty input, at its action, on the queue of starts; and moves on', async () => {
    const { id } = await story();
    const { scheduler, jobs } = recordingScheduler();
    expect(await scheduler.tick()).toBe(0);
    await makeDue();
    const [before] = await schedules();
    expect(await scheduler.tick()).toBe(1);

    const [delivery] = await rows<JsonObject>(
      `SELECT d.id, d.queue, d.state, d.depth, r.source, r.story_id AS storyId, r.awaited, e.payload, e.lineage,
              e.agent_id AS emitter
       FROM deliveries d JOIN story_runs r ON r.guid = d.story_run_guid JOIN events e ON e.id = d.event_id`,
    );
    expect(delivery).toEqual({
      id: expect.any(Number) as number,
      queue: 'story-runs',
      state: 'pending',
      depth: 1,
      source: 'schedule',
      storyId: id,
      awaited: 0,
      payload: '{}',
      lineage: '{}',
      emitter: 0,
    });
    expect(jobs).toEqual([{ queue: 'story-runs', storyId: id, deliveryId: delivery!['id'], generation: 0 }]);
    const [after] = await schedules();
    expect(after!.lastAt).toEqual(before!.nextAt);
    expect(after!.nextAt.getTime() % 300_000).toBe(0);
    expect(after!.nextInMs).toBeGreaterThan(0);
    expect(after!.nextInMs).toBeLessThanOrEqual(300_000);
    expect(await scheduler.tick()).toBe(0);
    expect(await runs()).toEqual(['A']);
  });

  test('passes without a run while the tenant may begin no more today', async () => {
    await story();
    const usedUp = { quota: 'events_per_day' as const, used: 5, limit: 5 };
    const asked: number[] = [];
    const { scheduler, jobs } = recordingScheduler(stores.db, {
      addOfStory: () => undefined,
      arrivalRefusal: (tenantId) => (asked.push(tenantId), usedUp),
    });
    await makeDue();
    expect(await scheduler.tick()).toBe(1);
    const [tenant] = await rows<{ id: number }>('SELECT id FROM tenants');
    expect(asked).toEqual([tenant!.id]);
    expect([await runs(), jobs]).toEqual([[], []]);
    const [after] = await schedules();
    expect(after!.nextInMs).toBeGreaterThan(0);
    expect(after!.lastAt).toBeNull();
  });

  test('starts one run of each schedule, for each of 20 times, however many schedulers look at once', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `A${index}`);
    const agents = names.map((name) => [name, message([{ cron: '* * * * *' }, 'every_1h'])] as const);
    await story(Object.fromEntries(agents));
    const databases = Array.from({ length: 3 }, () =>
      createDatabase({ url: stores.databaseUrl, poolSize: 2, logger: createSilentLogger() }),
    );
    const schedulers = databases.map((database) => recordingScheduler(database));
    for (let time = 1; time <= 20; time++) {
      await makeDue();
      const due = await Promise.all(schedulers.map(({ scheduler }) => scheduler.tick()));
      expect(due.reduce((sum, each) => sum + each, 0)).toBe(10);
      expect(await count('story_runs')).toBe(10 * time);
    }
    await Promise.all(databases.map((database) => database.close()));
    const started = await runs();
    expect(names.map((name) => started.filter((agent) => agent === name).length)).toEqual(
      names.map(() => 40),
    );
    const jobs = schedulers.flatMap((each) => each.jobs.map(({ deliveryId }) => deliveryId));
    expect(new Set(jobs).size).toBe(200);
    expect(jobs).toHaveLength(200);
  });

  test('starts one run when the answer to COMMIT gets lost, and one when the COMMIT itself does', async () => {
    await story();
    const proxy = await startTcpProxy(stores.databaseUrl);
    const database = createDatabase({ url: proxy.url, poolSize: 1, logger: createSilentLogger() });
    const { scheduler, jobs } = recordingScheduler(database);
    await database.facts();
    await makeDue();
    proxy.swallowCommits(1);
    await expect(scheduler.tick()).rejects.toThrow();
    expect(proxy.swallowed()).toBe(1);
    expect(await scheduler.tick()).toBe(0);
    // The relay sees to its job.
    expect([await runs(), jobs]).toEqual([['A'], []]);

    await makeDue();
    proxy.cut();
    await expect(scheduler.tick()).rejects.toThrow();
    proxy.restore();
    expect(await scheduler.tick()).toBe(1);
    expect([await runs(), jobs]).toEqual([['A', 'A'], [expect.anything()]]);
    await database.close();
    await proxy.close();
  });

  test('starts many in batches', async () => {
    await story();
    const [row] = await rows<{ storyId: number; agentId: number }>(
      'SELECT story_id AS storyId, agent_id AS agentId FROM schedules',
    );
    await stores.sql('INSERT INTO schedules (story_id, agent_id, cron, timezone, next_at) VALUES ?', [
      Array.from({ length: 449 }, (_, index) => [
        row!.storyId,
        row!.agentId,
        `${index % 60} ${Math.floor(index / 60)} * * *`,
        'UTC',
        new Date(),
      ]),
    ]);
    await makeDue();
    const { scheduler, jobs } = recordingScheduler();
    expect([await scheduler.tick(), await scheduler.tick(), await scheduler.tick()]).toEqual([200, 200, 50]);
    expect(await scheduler.tick()).toBe(0);
    expect([await count('story_runs'), jobs.length]).toEqual([450, 450]);
  });
});

describe('times that were missed because nothing ran', () => {
  const DAY = 24 * 60 * 60;
  test.each([
    ['nine minutes', 1, 9 * 60],
    ['eleven minutes', 0, 11 * 60],
    ['a day', 0, DAY],
    ['a year', 0, 365 * DAY],
  ])('by %s come to %i starts together, and then all goes on as before', async (_what, starts, seconds) => {
    await story({ A: message({ cron: '* * * * *' }) });
    const { scheduler } = recordingScheduler();
    await makeDue(seconds);
    expect(await scheduler.tick()).toBe(1);
    expect(await scheduler.tick()).toBe(0);
    expect(await count('story_runs')).toBe(starts);
    const [next] = await schedules();
    expect(next!.nextInMs).toBeGreaterThan(0);
    expect(next!.nextInMs).toBeLessThanOrEqual(60_000);
    for (let time = 1; time <= 3; time++) {
      await makeDue();
      await scheduler.tick();
      expect(await count('story_runs')).toBe(starts + time);
    }
  });
});

describe('a schedule that is not to start anything', () => {
  test.each([
    ['the story is disabled', 'UPDATE stories SET disabled = ?'],
    ['the action is disabled', 'UPDATE agents SET disabled = ?'],
  ])('lets its times pass while %s, and starts at the next time after that', async (_what, disable) => {
    await story();
    const { scheduler } = recordingScheduler();
    await stores.sql(disable, [1]);
    await makeDue();
    expect(await scheduler.tick()).toBe(1);
    const [passed] = await schedules();
    expect([await count('story_runs'), passed!.lastAt]).toEqual([0, null]);
    expect(passed!.nextInMs).toBeGreaterThan(0);
    await stores.sql(disable, [0]);
    expect(await scheduler.tick()).toBe(0);
    await makeDue();
    await scheduler.tick();
    expect(await runs()).toEqual(['A']);
  });

  test('lets its times pass where the action is of a type that does not run here', async () => {
    await story({ Mail: ['IMAP', {}, { schedule: 'every_1m' }], A: message('every_1m') });
    await makeDue();
    await recordingScheduler().scheduler.tick();
    expect(await runs()).toEqual(['A']);
    expect((await schedules()).map(({ nextInMs }) => nextInMs > 0)).toEqual([true, true]);
  });

  test('goes with its action', async () => {
    await story({ A: message('every_1m'), B: message('every_1m') });
    await stores.sql("DELETE FROM agents WHERE name = 'A'");
    await makeDue();
    expect(await recordingScheduler().scheduler.tick()).toBe(2);
    expect(await runs()).toEqual(['B']);
    expect(await count('schedules')).toBe(1);
  });

  test('is looked at again in a day when it cannot be followed, and holds up no other', async () => {
    await story({ A: message('every_1m'), B: message('every_1m') });
    await stores.sql(
      "UPDATE schedules s JOIN agents a ON a.id = s.agent_id SET s.timezone = 'Gone/Zone' WHERE a.name = 'A'",
    );
    const { scheduler } = recordingScheduler();
    for (let time = 0; time < 2; time++) {
      await makeDue();
      expect(await scheduler.tick()).toBe(2);
    }
    expect(await runs()).toEqual(['B', 'B']);
    const [gone] = await schedules();
    expect(gone!.nextInMs).toBeGreaterThan(23.9 * 60 * 60 * 1000);
  });
});

test('the loop starts what is due until it is told to stop, also after the database was away', async () => {
  await story();
  const proxy = await startTcpProxy(stores.databaseUrl);
  const database = createDatabase({ url: proxy.url, poolSize: 2, logger: createSilentLogger() });
  const { scheduler } = recordingScheduler(database);
  proxy.cut();
  const stopping = new AbortController();
  const over = scheduler.run(stopping.signal);
  await expect(database.ping()).rejects.toThrow();
  proxy.restore();
  for (let time = 1; time <= 2; time++) {
    await makeDue();
    await eventually(async () => (await count('story_runs')) === time);
  }
  stopping.abort();
  await over;
  await database.close();
  await proxy.close();
});
