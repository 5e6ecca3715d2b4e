import { createScheduler, type SchedulerDeps } from '../../src/engine/accept/scheduler.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { NO_QUOTAS } from '../../src/people/quotas/tenant-quotas.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { findListedSchedules, listScheduleIds } from '../../src/stories/schedules/schedule-list-store.js';
import { type Account, buildAccount } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const DAY = 86_400_000;

const at = (schedule: JsonValue, rest: JsonObject = {}): ShortAgent => {
  const [type, options] = says({ text: 'now' });
  return [type, options, { schedule, ...rest }];
};

async function story({ key, team }: Account, agents: Record<string, ShortAgent>, name = 'Reports') {
  const body = { new_name: name, data: storyOf(agents, [], { name }), team_id: team.id };
  return (await api.call(key, 'POST /api/v1/stories/import', body)).body.id as number;
}

async function listed(key: string, query = '') {
  return (await api.call(key, `GET /api/v1/schedules${query}`)).body;
}

const tick = (quotas: SchedulerDeps['quotas'] = NO_QUOTAS) =>
  createScheduler({
    quotas,
    database: stores.db,
    dispatcher: { dispatch: () => undefined },
    newRunGuid,
    logger: createSilentLogger(),
  }).tick();

/** The index of each table that a plan reads. */
const keys = (rows: PlanRow[]) =>
  rows
    .flatMap(({ table, key }) => (table === null || /^[spa]$/.test(table) ? [`${table} ${key}`] : []))
    .join();

test('schedules come with their action and story, the next one first', async () => {
  const account = await buildAccount(stores.db);
  const id = await story(account, {
    Yearly: at({ cron: '0 0 1 1 *', timezone: 'Europe/Vienna' }, { disabled: true }),
    Often: at([{ cron: '* * * * *' }, { cron: '0 0 1 1 *' }]),
    Never: at('never'),
  });
  await stores.sql('UPDATE stories SET locked = TRUE WHERE id = ?', [id]);
  const { schedules, meta } = await listed(account.key);
  expect(
    schedules.map(({ action, cron }: { action: { name: string }; cron: string }) => [action.name, cron]),
  ).toEqual([
    ['Often', '* * * * *'],
    ['Yearly', '0 0 1 1 *'],
    ['Often', '0 0 1 1 *'],
  ]);
  expect(meta.count).toBe(3);
  expect(schedules[1]).toEqual({
    id: expect.any(Number),
    team_id: account.team.id,
    cron: '0 0 1 1 *',
    timezone: 'Europe/Vienna',
    next_at: expect.stringMatching(/-12-31T23:00:00Z$/),
    last_at: null,
    paused_at: null,
    last_run: null,
    last_skip: null,
    starts: null,
    starts_complete: true,
    action: {
      id: expect.any(Number),
      name: 'Yearly',
      type: 'Agents::EventTransformationAgent',
      disabled: true,
    },
    story: { id, name: 'Reports', disabled: false, locked: true, change_control_enabled: false },
  });
  expect((await listed(account.key, '?per_page=1&page=2')).schedules).toEqual([schedules[1]]);
});

test('starts are told up to a time, a hundred of each schedule', async () => {
  const account = await buildAccount(stores.db);
  await story(account, { Daily: at({ cron: '30 12 * * *' }), Often: at({ cron: '*/5 * * * *' }) });
  const until = new Date(Date.now() + 7 * DAY).toISOString();
  const { schedules } = await listed(account.key, `?starts_until=${until}`);
  const [often, daily] = schedules;
  expect([often.starts.length, often.starts_complete]).toEqual([100, false]);
  expect([daily.starts.length, daily.starts_complete]).toEqual([7, true]);
  expect(daily.starts[0]).toBe(daily.next_at);
  for (const start of daily.starts) expect(start).toMatch(/T12:30:00Z$/);
  await stores.sql("UPDATE schedules SET timezone = 'Mars/Olympus' WHERE cron = '30 12 * * *'", []);
  const lost = (await listed(account.key, `?starts_until=${until}`)).schedules[1];
  expect([lost.starts, lost.starts_complete]).toEqual([null, true]);
});

test('a span beyond 31 days is refused', async () => {
  const account = await buildAccount(stores.db);
  const until = new Date(Date.now() + 32 * DAY).toISOString();
  const { status, body } = await api.call(account.key, `GET /api/v1/schedules?starts_until=${until}`);
  expect([status, body.errors[0].details]).toEqual([422, 'starts_until']);
});

test('the run that a schedule last started is told with its status', async () => {
  const account = await buildAccount(stores.db);
  await story(account, {
    Hourly: at({ cron: '0 * * * *' }),
    Off: at({ cron: '0 * * * *' }, { disabled: true }),
  });
  await stores.sql('UPDATE schedules SET next_at = NOW(3) - INTERVAL 1 SECOND', []);
  await tick();
  const [run] = await stores.db.read((session) =>
    session.rows<{ guid: string }>('SELECT guid FROM story_runs', []),
  );
  const both = (await listed(account.key)).schedules;
  const of = (name: string) => both.find(({ action }: { action: JsonObject }) => action['name'] === name);
  expect(of('Hourly')).toMatchObject({
    last_at: expect.any(String),
    last_run: { guid: run!.guid, status: 'running' },
  });
  expect(of('Off')).toMatchObject({ last_at: null, last_run: null });
  await stores.sql("UPDATE deliveries SET state = 'failed'", []);
  expect((await listed(account.key)).schedules.map((one: JsonObject) => one['last_run'])).toContainEqual({
    guid: run!.guid,
    status: 'failed',
  });
  await stores.sql('DELETE FROM story_runs', []);
  expect((await listed(account.key)).schedules.map((one: JsonObject) => one['last_run'])).toEqual([
    null,
    null,
  ]);
});

test('others see nothing of them', async () => {
  const account = await buildAccount(stores.db);
  const id = await story(account, { Daily: at('midnight') });
  const stranger = await buildAccount(stores.db, { owner: true });
  expect((await listed(stranger.key)).schedules).toEqual([]);
  for (const query of [`story_id=${id}`, `team_id=${account.team.id}`]) {
    expect((await api.call(stranger.key, `GET /api/v1/schedules?${query}`)).status).toBe(404);
  }
  expect((await listed(account.key, `?story_id=${id}`)).meta.count).toBe(1);
});

test('schedules are listed by index', async () => {
  const account = await buildAccount(stores.db);
  const id = await story(account, { Daily: at('midnight') });
  await stores.sql(
    `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, extra, settings)
     SELECT 900 + seq.n % 50, 900, 1, 'S', LPAD(HEX(seq.n), 32, '0'), 30, 'formula', '{}', '{}'
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) seq`,
    [JSON.stringify(Array.from({ length: 2_000 }, (_, n) => n))],
  );
  await stores.sql(
    `INSERT INTO schedules (story_id, agent_id, cron, timezone, next_at)
     SELECT id, id + 1000000, '0 0 * * *', 'UTC', NOW(3) FROM stories WHERE team_id = 900`,
    [],
  );
  await stores.sql('ANALYZE TABLE stories, schedules, agents', []);
  const filter = { tenantId: account.tenantId, teamIds: [account.team.id] };
  const window = { offset: 0, limit: 20 };
  for (const asked of [filter, { ...filter, storyId: id }]) {
    const plans = await plansOf(stores.db, (session) => listScheduleIds(asked, window, session), keys);
    expect(plans.join('; ')).toMatch(/^s (?:stories_[\w|]+|PRIMARY),p schedules_story/);
  }
  const plans = await plansOf(stores.db, (session) => findListedSchedules([1, 2], session), keys);
  expect(plans.join()).not.toContain('null');
});

const makeDue = (minutes: number) =>
  stores.sql('UPDATE schedules SET next_at = NOW(3) - INTERVAL ? MINUTE', [minutes]);
const skipsOf = async (key: string) =>
  (await listed(key)).schedules.map(({ last_skip: skip }: { last_skip: unknown }) => skip);

describe('I24: starts that were left out', () => {
  test('stand in the schedule, with the reason, and are a reason of the status', async () => {
    const account = await buildAccount(stores.db);
    await story(account, { Hourly: at({ cron: '0 * * * *' }) });
    expect(await skipsOf(account.key)).toEqual([null]);
    await makeDue(300);
    await tick();
    const [skip] = await skipsOf(account.key);
    expect(skip).toMatchObject({ reason: 'late' });
    expect(Date.parse(skip.until) - Date.parse(skip.from)).toBeGreaterThan(4 * 3_600_000);
    const { body } = await api.call(account.key, 'GET /api/v1/status');
    expect(body.reasons).toContainEqual(
      expect.objectContaining({
        id: 'stories.skipped-schedules',
        text: '1 schedule has skipped starts within the last day.',
      }),
    );
    const stranger = await buildAccount(stores.db);
    expect((await api.call(stranger.key, 'GET /api/v1/status')).body.reasons).toEqual([]);
  });

  test('are none where the action is disabled, or the start is made up for', async () => {
    const account = await buildAccount(stores.db);
    await story(account, {
      Off: at({ cron: '0 * * * *' }, { disabled: true }),
      On: at({ cron: '1 * * * *' }),
    });
    await makeDue(5);
    await tick();
    await stores.sql(
      "UPDATE schedules s JOIN agents a ON a.id = s.agent_id SET s.next_at = NOW(3) - INTERVAL 3 HOUR WHERE a.name = 'Off'",
    );
    await tick();
    expect(await skipsOf(account.key)).toEqual([null, null]);
  });

  test('for want of quota say so', async () => {
    const account = await buildAccount(stores.db);
    await story(account, { Hourly: at({ cron: '0 * * * *' }) });
    await makeDue(1);
    await tick({ ...NO_QUOTAS, arrivalRefusal: () => ({ quota: 'events_per_day', used: 5, limit: 5 }) });
    expect(await skipsOf(account.key)).toEqual([expect.objectContaining({ reason: 'quota' })]);
  });
});

const schedulesOf = async (account: Account, name: string) =>
  (await listed(account.key)).schedules.filter(
    ({ action }: { action: { name: string } }) => action.name === name,
  );
const pause = (account: Account, id: number, paused = true) =>
  api.call(account.key, `PUT /api/v1/schedules/${id}`, { paused });
const runs = () =>
  stores.db.read((session) => session.rows<{ guid: string }>('SELECT guid FROM story_runs', []));

const newStarts = async () => {
  const before = (await runs()).length;
  await makeDue(1);
  await tick();
  return (await runs()).length - before;
};

describe('a paused schedule', () => {
  test('starts nothing until it is resumed, while the others of its action go on', async () => {
    const account = await buildAccount(stores.db);
    const id = await story(account, { Twice: at([{ cron: '0 * * * *' }, { cron: '30 9 * * *' }]) });
    await stores.sql('UPDATE stories SET locked = TRUE WHERE id = ?', [id]);
    const [first] = await schedulesOf(account, 'Twice');
    const { status, body } = await pause(account, first.id);
    expect([status, body.paused_at, body.starts]).toEqual([200, expect.any(String), null]);
    expect((await api.call(account.key, `GET /api/v1/schedules/${first.id}`)).body).toEqual(body);
    expect((await pause(account, first.id)).body.paused_at).toBe(body.paused_at);
    expect(await newStarts()).toBe(1);
    expect(await skipsOf(account.key)).toEqual([null, null]);
    expect((await pause(account, first.id, false)).body.paused_at).toBeNull();
    expect(await newStarts()).toBe(2);
  });

  test('stays paused when its times change, and when its story is published, restored or replaced', async () => {
    const account = await buildAccount(stores.db);
    const id = await story(account, {
      Daily: at([{ cron: '0 9 * * *' }, { cron: '0 18 * * *' }]),
      Other: at({ cron: '0 9 * * *' }),
    });
    const isPaused = async () =>
      (await schedulesOf(account, 'Daily')).map(({ cron, paused_at: since }: JsonObject) => [
        cron,
        since !== null,
      ]);
    const morning = (await schedulesOf(account, 'Daily')).find(
      ({ cron }: JsonObject) => cron === '0 9 * * *',
    );
    await pause(account, morning.id);
    const call = (request: string, body?: JsonObject) => api.call(account.key, request, body);

    const exported = (await call(`GET /api/v1/stories/${id}/export`)).body;
    expect(JSON.stringify(exported)).not.toContain('pause');
    await call(`PUT /api/v1/actions/${morning.action.id}`, {
      schedule: [{ cron: '15 9 * * *', timezone: 'Europe/Vienna' }, { cron: '0 18 * * *' }],
    });
    expect((await isPaused()).toSorted()).toEqual([
      ['0 18 * * *', false],
      ['15 9 * * *', true],
    ]);
    const draft = (await call(`POST /api/v1/stories/${id}/drafts`, { name: 'Try' })).body.id;
    const copy = (await call(`GET /api/v1/stories/${id}/agents?draft_id=${draft}`)).body.agents.find(
      ({ name }: { name: string }) => name === 'Daily',
    );
    await call(`PUT /api/v1/actions/${copy.id}`, {
      schedule: [{ cron: '20 9 * * *' }, { cron: '0 18 * * *' }],
    });
    expect((await call(`POST /api/v1/stories/${id}/drafts/${draft}/publish`)).status).toBeLessThan(300);
    expect((await isPaused()).toSorted()).toEqual([
      ['0 18 * * *', false],
      ['20 9 * * *', true],
    ]);
    const { status } = await call('POST /api/v1/stories/import', {
      new_name: exported.name,
      data: exported,
      team_id: account.team.id,
      mode: 'versionReplace',
    });
    expect(status).toBeLessThan(300);
    expect((await isPaused()).toSorted()).toEqual([
      ['0 18 * * *', false],
      ['0 9 * * *', true],
    ]);
    expect((await schedulesOf(account, 'Other'))[0].paused_at).toBeNull();
  });

  test('is for those who may change the story', async () => {
    const owner = await buildAccount(stores.db, { owner: true });
    await story(owner, { Daily: at('midnight') });
    const viewer = await buildAccount(stores.db, { team: owner.team, role: 'VIEWER' });
    const stranger = await buildAccount(stores.db, { owner: true });
    const [daily] = await schedulesOf(owner, 'Daily');
    expect((await pause(viewer, daily.id)).status).toBe(403);
    expect((await pause(stranger, daily.id)).status).toBe(404);
    expect((await api.call(owner.key, `PUT /api/v1/schedules/${daily.id}`, {})).status).toBe(422);
    expect((await schedulesOf(owner, 'Daily'))[0].paused_at).toBeNull();
  });
});
