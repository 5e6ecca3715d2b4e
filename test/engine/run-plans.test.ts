import { NO_QUOTAS } from '../../src/people/quotas/tenant-quotas.js';
import { MAX_COUNT } from '../../src/platform/mysql/statements/id-page.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { createActionLogService } from '../../src/observe/logs/action-log-service.js';
import type { LogFilter } from '../../src/observe/logs/action-log-store.js';
import { createEventService, type EventQuery } from '../../src/observe/events/event-service.js';
import { viewRun } from '../../src/observe/runs/run-details.js';
import type { AttemptFilter } from '../../src/observe/attempts/attempt.js';
import { listAttemptIds, newestAttemptIds } from '../../src/observe/attempts/attempt-store.js';
import { findRunActions } from '../../src/observe/attempts/run-action-store.js';
import { forgetExchanges } from '../../src/engine/state/events/log-store.js';
import {
  type CandidateFilter,
  type CandidateWalk,
  chooseWalk,
} from '../../src/observe/search/run-candidates-store.js';
import { listRunIds, type RunFilter } from '../../src/observe/runs/run-list-store.js';
import { loadPastRun } from '../../src/trial/start/load-past-run.js';
import { findRunViews } from '../../src/observe/runs/run-view-store.js';
import { findFirstEventIds } from '../../src/observe/subjects/run-subject-store.js';
import { createRunSubjects } from '../../src/observe/subjects/run-subjects.js';
import { createLanguages } from '../../src/language/languages.js';
import { type Account, buildAccount } from '../support/builders.js';
import { type PlanRow, plansOf as readPlans, sortsRows } from '../support/plans.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });

const RUNS = 5_000;
const FIRST_PAGE = { limit: 20, offset: 0 };
const GUID = "CONCAT(LPAD(?, 8, '0'), '-0000-7000-8000-', LPAD(v.n, 12, '0'))";
const NUMBERS = "JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v";

/**
 * `runs:index` of each table, and `sorts` where the rows that were found are sorted. Derived tables are left out, and so is
 * the order, in which servers differ where subqueries are.
 */
function planOf(rows: PlanRow[]): string {
  const steps = rows.flatMap(({ table, type, key }) =>
    table === null || table.startsWith('<') ? [] : [`${table}:${type === 'ALL' ? 'ALL' : key}`],
  );
  return [...new Set(steps)]
    .toSorted()
    .concat(sortsRows(rows) ? ['sorts'] : [])
    .join(' ');
}

const plansOf = (work: (session: Session) => Promise<unknown>) => readPlans(stores.db, work, planOf);

/** Two stories of one team, 5,000 runs each, with three events, an input and two lines of log a run; some have work left. */
async function scene(): Promise<{ account: Account; story: number; agent: number; guid: string }> {
  const account = await buildAccount(stores.db);
  const numbers = JSON.stringify(Array.from({ length: RUNS }, (_value, index) => index));
  const run = (sql: string, values: SqlValue[]) => stores.sql(sql, values);
  const stories: number[] = [];
  let agent = 0;
  for (const name of ['One', 'Two']) {
    const { insertId: story } = await run(
      `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, keep_events_for, extra)
       VALUES (?, ?, ?, ?, LEFT(SHA2(?, 256), 32), 30, 'formula', 3600, '{}')`,
      [account.tenantId, account.team.id, account.user.id, name, name],
    );
    agent = (
      await run(
        `INSERT INTO agents (story_id, position, type, name, guid, disabled, options, keep_events_for, extra)
         VALUES (?, 0, 'Agents::TriggerAgent', 'A', LEFT(SHA2(?, 256), 32), FALSE, '{}', 0, '{}')`,
        [story, name],
      )
    ).insertId;
    await run(
      `INSERT INTO story_runs (guid, story_id, source, created_at, cancelled_at)
       SELECT ${GUID}, ?, 'webhook', NOW(3) - INTERVAL ${RUNS} - v.n SECOND, IF(v.n % 50 = 1, NOW(3), NULL)
       FROM ${NUMBERS}`,
      [story, story, numbers],
    );
    for (const who of [0, agent, agent, agent]) {
      await run(
        `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage)
         SELECT ${GUID}, ?, ?, '{}', '{"a":0}' FROM ${NUMBERS}`,
        [story, story, who, numbers],
      );
    }
    for (const level of [2, 4]) {
      await run(
        `INSERT INTO agent_logs (agent_id, story_run_guid, inbound_event_id, level, message)
         SELECT ?, ${GUID}, 1, ?, 'x' FROM ${NUMBERS}`,
        [agent, story, level, numbers],
      );
    }
    await run(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state)
       SELECT ${GUID}, ?, ?, 1, 'trigger', 1, NOW(3), IF(v.n % 2 = 0, 'failed', 'waiting') FROM ${NUMBERS}
       WHERE v.n % 25 = 0`,
      [story, story, agent, numbers],
    );
    stories.push(story);
  }
  await run(
    `INSERT INTO event_marks (event_id, story_id, agent_id, failure, reemitted)
     SELECT id, story_id, agent_id, FALSE, TRUE FROM events WHERE agent_id <> 0 AND id % 50 = 0`,
    [],
  );
  // With few actions, MySQL reads them all rather than looking for one.
  await run(
    `INSERT INTO agents (story_id, position, type, name, guid, disabled, options, keep_events_for, extra)
     SELECT ?, 1 + v.n, 'Agents::TriggerAgent', 'Other', LPAD(v.n, 32, '0'), FALSE, '{}', 0, '{}'
     FROM ${NUMBERS} WHERE v.n < 1000`,
    [stories[0]!, numbers],
  );
  await stores.db.read((session) =>
    session.rows('ANALYZE TABLE story_runs, events, event_marks, agent_logs, deliveries, stories, agents'),
  );
  const story = stories.at(-1)!;
  return { account, story, agent, guid: `${String(story).padStart(8, '0')}-0000-7000-8000-000000000025` };
}

const PLANS_OF_VIEWS = [
  'd:deliveries_run e:events_run l:PRIMARY r:PRIMARY s:PRIMARY',
  'deliveries:deliveries_run',
  'events:events_run',
  'deliveries:PRIMARY',
  'l:agent_logs_run sorts',
];
const PLANS_OF_EVENTS = ['a:PRIMARY e:PRIMARY s:PRIMARY', 'events:PRIMARY'];

/** A database of one session. */
const reading = (session: Session) => ({ read: <T>(work: (own: Session) => Promise<T>) => work(session) });

it('lists of runs read an index, whatever they are narrowed by; those with work left are sorted, which are few', async () => {
  const { story } = await scene();
  const since = new Date(Date.now() - 3_600_000);
  // `n` are the newest deliveries in these states, which the index alone finds.
  const counted = 'x:deliveries_due';
  const withWork = [counted, 'r:story_runs_guid w:PRIMARY x:deliveries_due sorts'];
  const failed = [
    counted,
    'o:deliveries_run r:story_runs_guid w:PRIMARY x:deliveries_due',
    'o:deliveries_run r:story_runs_guid w:PRIMARY x:deliveries_due sorts',
  ];
  const cases: [Omit<RunFilter, 'storyId'>, number, string[]][] = [
    [{}, 0, ['r:story_runs_list']],
    [{}, 4_900, ['r:story_runs_list']],
    [{ since, source: 'webhook' }, 2_000, ['r:story_runs_list']],
    [{ status: 'cancelled' }, 0, ['r:story_runs_list']],
    [{ status: 'running' }, 0, withWork],
    [{ status: 'failed' }, 0, failed],
    [{ status: 'completed' }, 0, [withWork[1]!, 'r:story_runs_list', 'd:deliveries_run r:story_runs_list']],
  ];
  for (const [filter, offset, plans] of cases) {
    const found = await plansOf((session) =>
      listRunIds(session, { storyId: story, ...filter }, { limit: 20, offset }),
    );
    expect({ filter, plans: found }).toEqual({ filter, plans });
    // A18 clients: the same index leads to the place after which a walk goes on.
    const after = { time: new Date(since.getTime() + 600_000), id: 1_000 };
    const walked = await plansOf((session) =>
      listRunIds(session, { storyId: story, ...filter }, { limit: 20, offset: 0, after }),
    );
    expect({ filter, plans: walked }).toEqual({ filter, plans });
  }
});

it('a run, and what is shown of runs, is found by indexes', async () => {
  const { account, story } = await scene();
  const { items } = await stores.db.read((session) =>
    listRunIds(session, { storyId: story, status: 'failed' }, FIRST_PAGE),
  );
  expect(await plansOf((session) => findRunViews(session, items))).toEqual(PLANS_OF_VIEWS);
  const [run] = await stores.db.read((session) => findRunViews(session, items));
  const subjects = createRunSubjects({ languages: createLanguages() });
  expect(await plansOf((session) => subjects.of(session, [run!]))).toEqual([
    'events:PRIMARY',
    'stories:PRIMARY',
  ]);
  // Dead letters name their runs too.
  expect(await plansOf((session) => findFirstEventIds(session, [run!.guid]))).toEqual(['events:events_run']);
  expect(
    await plansOf((session) =>
      viewRun(session, { run: run!, viewer: { actor: account.actor, teamId: account.team.id } }, FIRST_PAGE),
    ),
  ).toEqual([
    'events:events_run',
    'e:events_run',
    'l:agent_logs_run',
    'd:deliveries_run',
    'a:PRIMARY d:deliveries_run',
    'events:PRIMARY',
    'stories:PRIMARY',
    'a:PRIMARY s:PRIMARY',
    // Which index finds the names of the few stories is the server's choice.
    expect.stringMatching(/^a:PRIMARY b:deliveries_due d:PRIMARY .*sorts$/),
    // So many of the newest dead letters are looked at, of whatever tenant.
    'b:deliveries_due',
    // `k` are the stories that are asked for.
    'k:ALL u:PRIMARY v:story_versions_number w:story_versions_number',
    'a:PRIMARY e:PRIMARY s:PRIMARY',
  ]);
});

it('the first event of a run is read alone, however many the run has', async () => {
  const { story, agent, guid } = await scene();
  // A server may find the first of a group by reading all, if most runs have one event.
  await stores.sql('DELETE FROM events WHERE agent_id <> 0', []);
  await stores.db.read((session) => session.rows('ANALYZE TABLE events'));
  await stores.sql(
    `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) SELECT ?, ?, ?, '{}', '{}' FROM ${NUMBERS}`,
    [guid, story, agent, JSON.stringify(Array.from({ length: 5_000 }, (_value, index) => index))],
  );
  const other = `${guid.slice(0, -2)}50`;
  const events = await stores.db.read((session) =>
    session.rows<{ guid: string; id: number }>(
      'SELECT story_run_guid AS guid, id FROM events WHERE story_run_guid IN (?) ORDER BY id DESC',
      [[guid, other]],
    ),
  );
  const counted = await stores.db.transaction(async (session) => {
    const before = await rowsRead(session);
    const found = await findFirstEventIds(session, [guid, other]);
    return { found, read: (await rowsRead(session)) - before };
  });
  expect(counted.found).toEqual(new Map(events.map(({ guid: of, id }) => [of, id])));
  expect(counted.read).toBeLessThan(20);
});

/** The rows and entries of indexes that the session has read so far. */
async function rowsRead(session: Session): Promise<number> {
  const rows = await session.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'");
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

it('failed attempts, warnings, and the counts of actions are found by indexes', async () => {
  const { story, agent, guid } = await scene();
  await stores.sql(
    'UPDATE agent_logs SET delivery_id = id, attempt = IF(id % 2 = 0, 1, NULL) WHERE level = 4',
    [],
  );
  await stores.db.read((session) => session.rows('ANALYZE TABLE agent_logs'));
  const list = (filter: Partial<AttemptFilter>) =>
    plansOf((session) => listAttemptIds(session, { guid, ...filter }, FIRST_PAGE));
  expect(await list({})).toEqual(['l:agent_logs_run', 'l:agent_logs_run sorts']);
  expect(await list({ agentId: agent })).toEqual(['l:agent_logs_run']);
  expect(await list({ deliveryId: 7 })).toEqual(['l:agent_logs_delivery']);
  expect(await plansOf((session) => newestAttemptIds(session, { deliveryId: 7, limit: 20 }))).toEqual([
    'agent_logs:agent_logs_delivery',
  ]);
  // The rows of one run are grouped by action.
  expect(await plansOf((session) => findRunActions(session, guid))).toEqual([
    'events:events_run sorts',
    'deliveries:deliveries_run sorts',
    'l:agent_logs_run',
    'a:PRIMARY d:deliveries_run sorts',
    'agents:PRIMARY',
  ]);
  expect(await plansOf((session) => forgetExchanges(session, [7, 8]))).toEqual([
    'l:agent_logs_delivery sorts',
  ]);
  const warned = (filter: Partial<RunFilter>) =>
    plansOf((session) => listRunIds(session, { storyId: story, warnings: true, ...filter }, FIRST_PAGE));
  expect(await warned({})).toEqual([
    'l:agent_logs_run r:PRIMARY r:story_runs_list',
    'l:agent_logs_run r:PRIMARY r:story_runs_list sorts',
  ]);
  for (const status of ['completed', 'failed'] as const) {
    const plans = await warned({ status });
    expect(plans.filter((plan) => /\bl:(?!agent_logs_run)/.test(plan))).toEqual([]);
  }
});

it('events and lines of logs are found by indexes, in their order where it can be', async () => {
  const { account, story, agent, guid } = await scene();
  const events = (query: Partial<EventQuery>, offset: number) =>
    plansOf((session) =>
      createEventService({
        database: reading(session),
        reemit: () => Promise.resolve(0),
        quotas: NO_QUOTAS,
      }).list(account.actor, { agentIds: [], ...query }, { limit: 20, offset }),
    );
  const logs = (filter: Partial<LogFilter>) =>
    plansOf((session) =>
      createActionLogService({ database: reading(session) }).list(
        account.actor,
        { agentId: agent, ...filter },
        FIRST_PAGE,
      ),
    );
  // The tenant has one team only: which of the two indexes finds its stories is the server's choice.
  const ofTeams = async (offset: number) =>
    (await events({}, offset)).map((plan) => plan.replace('s:stories_team_name', 's:stories_tenant'));
  const all = ['e:events_story s:stories_tenant', ''];
  expect(await ofTeams(0)).toEqual([...all, 'e:PRIMARY s:PRIMARY', ...PLANS_OF_EVENTS]);
  expect(await ofTeams(20_000)).toEqual([...all, `${all[0]} sorts`, ...PLANS_OF_EVENTS]);
  expect(await events({ storyId: story, sinceId: 10 }, 100)).toEqual([
    'stories:PRIMARY',
    'e:events_story',
    ...PLANS_OF_EVENTS,
  ]);
  expect(await events({ agentIds: [agent], untilId: 1_000_000_000 }, 100)).toEqual([
    'a:PRIMARY s:PRIMARY',
    'e:events_agent',
    ...PLANS_OF_EVENTS,
  ]);
  expect(await events({ storyRunGuid: guid, agentIds: [agent] }, 0)).toEqual([
    'a:PRIMARY s:PRIMARY',
    'r:story_runs_guid s:PRIMARY',
    'e:events_run',
    ...PLANS_OF_EVENTS,
  ]);
  // Times become ids, by look-ups of single rows.
  const hour = { since: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) };
  expect(await events({ storyId: story, ...hour }, 100)).toEqual([
    'stories:PRIMARY',
    '',
    'events:PRIMARY',
    'e:events_story',
    PLANS_OF_EVENTS[0],
  ]);
  const marked = 'e:PRIMARY m:event_marks';
  expect(await events({ storyId: story, reemittedOnly: true }, 0)).toEqual([
    'stories:PRIMARY',
    `${marked}_story`,
    ...PLANS_OF_EVENTS,
  ]);
  expect(await events({ agentIds: [agent], reemittedOnly: true }, 0)).toEqual([
    'a:PRIMARY s:PRIMARY',
    `${marked}_agent`,
    ...PLANS_OF_EVENTS,
  ]);
  const lines = 'e:PRIMARY l:PRIMARY';
  expect(await logs({ level: 3 })).toEqual(['a:PRIMARY s:PRIMARY', 'l:agent_logs_agent', lines]);
  expect(await logs({ storyRunGuid: guid })).toEqual(['a:PRIMARY s:PRIMARY', 'l:agent_logs_run', lines]);
});

it('a story with very many runs is counted and paged to a bound, and what is older is found by time', async () => {
  const { story } = await scene();
  const many = MAX_COUNT + 10;
  await stores.sql(
    `INSERT INTO story_runs (guid, story_id, source, created_at)
       SELECT ${GUID}, ?, 'api', '2020-01-01' + INTERVAL v.n SECOND FROM ${NUMBERS}`,
    [99, story, JSON.stringify(Array.from({ length: many }, (_value, index) => index))],
  );
  const list = (filter: Partial<RunFilter>, offset: number) =>
    stores.db.read((session) =>
      listRunIds(session, { storyId: story, source: 'api', ...filter }, { limit: 5, offset }),
    );
  expect(await list({}, MAX_COUNT - 5)).toMatchObject({ items: { length: 5 }, total: MAX_COUNT });
  expect(await list({}, MAX_COUNT)).toEqual({ items: [], total: MAX_COUNT, next: null });
  expect(await list({ status: 'completed' }, 0)).toMatchObject({ items: { length: 5 }, total: MAX_COUNT });
  const until = new Date('2020-01-01T00:00:07Z');
  expect(await list({ until }, 5)).toMatchObject({ items: { length: 2 }, total: 7 });
});

test('the past run of a trial is read by indexes, and nothing of other runs', async () => {
  const { story, guid } = await scene();
  const run = { guid, storyId: story, createdAt: new Date() };
  const plans = await plansOf((session) => loadPastRun(session, run, () => true));
  const used = plans.join(' ');
  for (const key of ['events_run', 'story_calls_run', 'deliveries_run', 'agents_story', 'events:PRIMARY'])
    expect(used).toContain(key);
  expect(used).not.toContain('ALL');
});

it('finds open deliveries in the order of the index, state by state', async () => {
  const { account, story } = await scene();
  const inOrder = ['x false', 'x false,x false,x false,x false'];
  const ofStory = { storyId: story, status: 'running' } as const;
  expect(await reads((session) => listRunIds(session, ofStory, FIRST_PAGE))).toEqual(inOrder);
  const ofAll = searchOf(account, 'running');
  expect(await reads(async (session) => (await chooseWalk(session, ofAll)).find(FIRST_BATCH))).toEqual(
    inOrder,
  );
});

const FIRST_BATCH = { after: undefined, limit: 500 };

/** A search of all stories of a team. */
const searchOf = (account: Account, status: CandidateFilter['status']): CandidateFilter => ({
  tenantId: account.tenantId,
  teamIds: [account.team.id],
  storyId: undefined,
  ofDrafts: false,
  source: undefined,
  status,
  since: undefined,
  until: undefined,
});

const search = (filter: CandidateFilter, batch: Parameters<CandidateWalk['find']>[0]) =>
  stores.db.read(async (session) => {
    const walk = await chooseWalk(session, filter);
    return { isByTime: walk.isByTime, ...(await walk.find(batch)) };
  });

/** Gives one run more dead letters than are looked up. */
async function addLetters({ story, agent, guid }: { story: number; agent: number; guid: string }) {
  const letters = JSON.stringify(Array.from({ length: 10_500 }, (_value, index) => index));
  await stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, failed_at, state, error)
     SELECT ?, ?, ?, 1, 'trigger', 1, NOW(3) + INTERVAL 1 SECOND, NOW(3), 'failed', 'many' FROM ${NUMBERS}`,
    [`${guid.slice(0, -2)}50`, story, agent, letters],
  );
}

it('goes on where a search of many failed runs stopped, also if these are few by then', async () => {
  const { account, ...place } = await scene();
  await addLetters(place);
  const filter = searchOf(account, 'failed');
  expect((await search(filter, FIRST_BATCH)).candidates).toHaveLength(200);
  const later = JSON.stringify(Array.from({ length: 30_000 }, (_value, index) => index));
  await stores.sql(
    `INSERT INTO story_runs (guid, story_id, source, created_at)
     SELECT ${GUID}, ?, 'api', NOW(3) + INTERVAL v.n SECOND FROM ${NUMBERS}`,
    [98, place.story, later],
  );
  const first = await search(filter, FIRST_BATCH);
  // In the order of ids: older ids may be of runs that started later.
  expect([first.candidates, first.isByTime]).toEqual([[], false]);
  const [run] = await stores.db.read((session) =>
    session.rows<{ time: Date }>('SELECT created_at AS time FROM story_runs WHERE id = ?', [first.next!.id]),
  );
  expect(first.next?.createdAt).toEqual(run!.time);
  await stores.sql("DELETE FROM deliveries WHERE error = 'many'", []);
  const rest = await search(filter, { ...FIRST_BATCH, after: first.next });
  expect([rest.candidates.length, rest.isByTime, rest.next]).toEqual([200, true, undefined]);
});

it('finds every failed run where one run has most of the dead letters', async () => {
  const { account, ...place } = await scene();
  await addLetters(place);
  const { story } = place;
  const failed = { storyId: story, status: 'failed' } as const;
  const list = (window: { after?: { time: Date; id: number } }) =>
    stores.db.read((session) => listRunIds(session, failed, { limit: 200, offset: 0, ...window }));
  const { items, total } = await list({});
  expect([items.length, total]).toEqual([100, 100]);
  const [row] = await stores.db.read((session) =>
    session.rows<{ time: Date }>('SELECT created_at AS time FROM story_runs WHERE id = ?', [items[49]!]),
  );
  // The total is of the whole list, not of what is left after a place.
  const rest = await list({ after: { time: row!.time, id: items[49]! } });
  expect([rest.items, rest.total]).toEqual([items.slice(50), 100]);
  // Both stories have as many failed runs.
  expect((await search(searchOf(account, 'failed'), FIRST_BATCH)).candidates).toHaveLength(200);
});

it('counts completed runs without those of very many dead letters', async () => {
  const { story, agent } = await scene();
  const failed = JSON.stringify(Array.from({ length: 10_500 }, (_value, index) => index));
  await stores.sql(
    `INSERT INTO story_runs (guid, story_id, source, created_at) SELECT ${GUID}, ?, 'api', NOW(3) FROM ${NUMBERS}`,
    [97, story, failed],
  );
  await stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, failed_at, state)
     SELECT ${GUID}, ?, ?, 1, 'trigger', 1, NOW(3), NOW(3), 'failed' FROM ${NUMBERS}`,
    [97, story, agent, failed],
  );
  const list = (filter: Partial<RunFilter>) =>
    stores.db.read((session) => listRunIds(session, { storyId: story, ...filter }, FIRST_PAGE));
  // The others of 5,000 runs: 100 were cancelled, and 200 have work left.
  expect(await list({ status: 'completed' })).toMatchObject({ items: { length: 20 }, total: 4_700 });
});

it('counts completed runs with warnings among the newest runs, as it lists them', async () => {
  const { story } = await scene();
  await stores.sql('UPDATE agent_logs SET delivery_id = id WHERE level = 4', []);
  // The newest 10,000 runs of the story are these, and 40 of the scene, one with work left. 199 older ones have work left.
  await stores.sql(
    `INSERT INTO story_runs (guid, story_id, source, created_at)
     SELECT ${GUID}, ?, 'api', NOW(3) + INTERVAL 1 SECOND FROM ${NUMBERS}`,
    [97, story, JSON.stringify(Array.from({ length: 9_960 }, (_value, index) => index))],
  );
  const list = await stores.db.read((session) =>
    listRunIds(session, { storyId: story, status: 'completed', warnings: true }, { limit: 100, offset: 0 }),
  );
  expect([list.items.length, list.total]).toEqual([39, 39]);
});

it('looks through the newest runs of one story for those with very many dead letters, so many at a time', async () => {
  const { account, ...place } = await scene();
  await addLetters(place);
  const filter = { ...searchOf(account, 'failed'), storyId: place.story };
  const few = await search(filter, FIRST_BATCH);
  expect([few.candidates.length, few.isByTime, few.next]).toEqual([100, true, undefined]);
  const later = JSON.stringify(Array.from({ length: 30_000 }, (_value, index) => index));
  await stores.sql(
    `INSERT INTO story_runs (guid, story_id, source, created_at)
     SELECT ${GUID}, ?, 'api', NOW(3) + INTERVAL 1 + v.n SECOND FROM ${NUMBERS}`,
    [98, place.story, later],
  );
  const first = await search(filter, FIRST_BATCH);
  expect([first.candidates, first.next]).toEqual([
    [],
    { id: expect.any(Number), createdAt: expect.any(Date) },
  ]);
  const rest = await search(filter, { after: first.next, limit: 60 });
  expect(rest.candidates).toEqual(few.candidates.slice(0, 60));
  const last = await search(filter, { ...FIRST_BATCH, after: rest.next });
  expect([last.candidates, last.next]).toEqual([few.candidates.slice(60), undefined]);
  const plans = await plansOf(async (session) =>
    (await chooseWalk(session, filter)).find({ ...FIRST_BATCH, after: first.next }),
  );
  const ofStory = 'r:story_runs_list s:PRIMARY';
  expect(plans).toEqual(['x:deliveries_due', ofStory, `${ofStory} w:deliveries_run`]);
});

/** Which reads of `x` are sorted. */
function sorted(rows: PlanRow[]): string[] {
  return rows
    .filter(({ table }) => table === 'x')
    .map(({ Extra }) => `x ${Extra?.includes('filesort') ?? false}`);
}

const reads = (work: (session: Session) => Promise<unknown>) =>
  readPlans(stores.db, work, (rows) => sorted(rows).join());
