import { notePause } from '../../src/engine/dispatch/queue-pauses.js';
import { readTeamStatus } from '../../src/operate/monitoring/status/team-status.js';
import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { useManageApi } from '../support/manage-api.js';
import { buildOperator } from '../support/one-tenant.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { queueOf } from '../support/queue-named.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);

const get = (key: string, query = '') => api.call(key, `GET /api/v1/status${query}`);

/** A story with dead letters of these errors, and a silent action. */
async function withTrouble({ key, team }: Account, errors: string[]) {
  const body = { new_name: 'Triage', data: smallExport(), team_id: team.id };
  const { body: story } = await api.call(key, 'POST /api/v1/stories/import', body);
  const [agent] = await stores.db.read((session) =>
    session.rows<{ id: number; name: string }>(
      'SELECT id, name FROM agents WHERE story_id = ? ORDER BY position LIMIT 1',
      [story.id],
    ),
  );
  for (const [index, error] of errors.entries()) {
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, due_at, failed_at)
       VALUES ('r', ?, ?, 1, 'email', 1, 'failed', ?, NOW(3) - INTERVAL ? MINUTE, NOW(3))`,
      [story.id, agent!.id, error, errors.length - index],
    );
  }
  await stores.sql(
    `INSERT INTO action_watches (agent_id, seen_at, last_event_id, told_event_id, told_silence)
     VALUES (?, NOW(3), 0, 0, TRUE)`,
    [agent!.id],
  );
  await stores.sql(
    `INSERT INTO notices (tenant_id, team_id, story_id, kind, channel, recipients, content, state, attempts, error)
     SELECT t.tenant_id, t.id, ?, 'failures', 'mail', '["a@x.test","b@x.test"]', '{}', 'failed', 6, 'no mail server'
     FROM teams t WHERE t.id = ?`,
    [story.id, team.id],
  );
  return { storyId: story.id as number, agent: agent! };
}

test('a team sees its failing stories, silent actions and notices, without the installation', async () => {
  const account = await buildAccount(stores.db);
  const secret = `https://fabula.example/webhook/small/${'s'.repeat(32)}`;
  const { storyId, agent } = await withTrouble(account, ['first', `See ${secret}`]);
  const { body } = await get(account.key);
  expect(body).toMatchObject({
    state: 'warning',
    installation: null,
    stories: {
      dead_letters: 2,
      dead_letters_complete: true,
      failing: [{ id: storyId, name: 'Triage', team_id: account.team.id, dead_letters: 2 }],
      silent_actions: [{ id: agent.id, name: agent.name, story: { id: storyId, name: 'Triage' } }],
      notices: [
        { kind: 'failures', channel: 'mail', story_id: storyId, recipients: 2, state: 'failed', attempts: 6 },
      ],
    },
  });
  const [failing] = body.stories.failing;
  expect(failing.last_error).toContain('See https://fabula.example/webhook/small/');
  expect(failing.last_error).not.toContain('ssss');
  expect(failing.last_cause).not.toContain('ssss');
  expect(failing.since < failing.last_at).toBe(true);
  expect(body.reasons).toHaveLength(3);
});

test('a failing story has the cause of its newest failure, which tells more than the error', async () => {
  const account = await buildAccount(stores.db);
  const { storyId } = await withTrouble(account, ['crm.example answered 500']);
  const causes = async () =>
    (await get(account.key)).body.stories.failing.map(
      ({ last_cause: cause }: { last_cause: string }) => cause,
    );
  expect(await causes()).toEqual(['crm.example answered 500']);
  await stores.sql("UPDATE deliveries SET cause = '500 · Shard 3 refused' WHERE story_id = ?", [storyId]);
  const { team } = account;
  const status = await stores.db.read((session) =>
    readTeamStatus(session, { tenantId: account.tenantId, teamIds: [team.id] }),
  );
  expect(status.failing.map(({ lastCause }) => lastCause)).toEqual(['500 · Shard 3 refused']);
});

test('others see nothing of it; an Owner of the only tenant sees the stores, queues and versions too', async () => {
  const account = await buildAccount(stores.db);
  await withTrouble(account, ['x']);
  const stranger = await buildAccount(stores.db);
  const other = await get(stranger.key);
  expect(other.body.stories).toEqual({
    dead_letters: 0,
    dead_letters_complete: true,
    failing: [],
    silent_actions: [],
    notices: [],
  });
  expect([other.body.state, other.body.reasons]).toEqual(['ok', []]);
  expect((await get(stranger.key, `?team_id=${account.team.id}`)).status).toBe(404);
  const owner = await buildOperator(stores);
  const { body } = await get(owner.key);
  expect(body.installation.queues.map(({ queue }: { queue: string }) => queue)).toContain('http-request');
  expect(body.installation.versions).toHaveLength(1);
  expect(body.installation).toMatchObject({
    mysql_ms: expect.any(Number),
    redis_ms: expect.any(Number),
    relay_lag_seconds: expect.any(Number),
    spool: { bytes: 0, limit_bytes: expect.any(Number) },
  });
});

test('the status of one team has its stories alone', async () => {
  const account = await buildAccount(stores.db);
  await withTrouble(account, ['x']);
  const { body } = await get(account.key, `?team_id=${account.team.id}`);
  expect(body.stories.dead_letters).toBe(1);
  const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
  expect((await get(viewer.key)).body.stories.dead_letters).toBe(1);
});

/** Dead letters of a story, newer than all that `withTrouble` makes: several failed at the same time. */
const addMany = (storyId: number, count: number) =>
  stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, error, due_at, failed_at)
     SELECT 'r', ?, 1, 1, 'email', 1, 'failed', 'x', NOW(3) + INTERVAL n DIV 3 SECOND, NOW(3)
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) seq`,
    [storyId, JSON.stringify(Array.from({ length: count }, (_, n) => n))],
  );

/** How a statement reads dead letters. */
const lettersOf = (rows: PlanRow[]) =>
  rows.flatMap(({ table, type, key }) => (table === 'd' ? [`${type} ${key}`] : [])).join();

describe('dead letters behind those of another tenant', () => {
  const bounds = { lettersAtOnce: 7, mostLetters: 20, mostMs: 60_000 };

  async function scene() {
    const small = await buildAccount(stores.db);
    const { storyId } = await withTrouble(small, ['first', 'second', 'third']);
    const large = await buildAccount(stores.db);
    const { storyId: largeId } = await withTrouble(large, []);
    await addMany(largeId, 50);
    const read = ({ tenantId, team }: Account, more = {}) =>
      stores.db.read((session) =>
        readTeamStatus(session, { tenantId, teamIds: [team.id] }, { ...bounds, ...more }),
      );
    return { small, storyId, large, largeId, read };
  }

  test('are found: each tenant has a bound of its own', async () => {
    const { small, storyId, large, largeId, read } = await scene();
    const own = await read(small);
    expect(own).toMatchObject({
      deadLetters: 3,
      isComplete: true,
      failing: [{ id: storyId, deadLetters: 3, lastError: 'third' }],
    });
    expect(own.failing[0]!.lastAt.getTime() - own.failing[0]!.since.getTime()).toBeGreaterThan(100_000);
    const many = await read(large);
    expect(many).toMatchObject({ deadLetters: 21, isComplete: false, failing: [{ id: largeId }] });
    expect(await read(large, { mostLetters: 100 })).toMatchObject({ deadLetters: 50, isComplete: true });
    for (const lettersAtOnce of [1, 2, 3, 50, 53, 10_000]) {
      expect([lettersAtOnce, (await read(small, { lettersAtOnce })).deadLetters]).toEqual([lettersAtOnce, 3]);
    }
  });

  test('are not looked for any longer than there is time, which is told', async () => {
    const { small, read } = await scene();
    expect(await read(small, { mostMs: 0 })).toMatchObject({ deadLetters: 0, isComplete: false });
  });

  test('are read by the index of due times alone', async () => {
    const { small } = await scene();
    await stores.db.read((session) => session.rows('ANALYZE TABLE deliveries, stories'));
    const scope = { tenantId: small.tenantId, teamIds: [small.team.id] };
    const plans = await plansOf(stores.db, (session) => readTeamStatus(session, scope, bounds), lettersOf);
    expect(plans.filter((plan) => plan !== '')).toEqual(['range deliveries_due']);
  });
});

test('I22: a paused queue is a reason at once, with its count; /queues says so too', async () => {
  const owner = await buildOperator(stores);
  const queue = queueOf(api.fabula(), 'email', stores);
  await queue.add('waits', {}, { timestamp: Date.now() - 3_600_000 });
  await notePause(queue, stores.redis, 'ada@x.test');
  await queue.pause();
  try {
    const reason = await eventually(async () => {
      const { body } = await get(owner.key);
      return body.reasons.find(({ id }: { id: string }) => id === 'work.paused');
    });
    expect(reason).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(
        /^email is paused, since \S+Z, by ada@x\.test: 1 job is waiting, the oldest for 36\d\d s\.$/,
      ),
      remedy: expect.stringContaining('Resume'),
    });
    await eventually(async () => {
      const { body } = await api.call(owner.key, 'GET /api/v1/queues');
      const email = body.queues.find((each: { queue: string }) => each.queue === 'email');
      return email.jobs?.paused?.by === 'ada@x.test';
    });
  } finally {
    await queue.drain();
    await queue.resume();
  }
});
