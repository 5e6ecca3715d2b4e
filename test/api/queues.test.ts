import { createCountedWork } from '../../src/operate/monitoring/queues/counted-work.js';
import { countQueueWork, type WorkCount } from '../../src/operate/monitoring/queues/queue-work-store.js';
import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startFabula } from '../support/fabula.js';
import { useManageApi } from '../support/manage-api.js';
import { recordingLogger } from '../support/recording-logger.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { call, says } from '../support/run-api.js';
import { smallExport, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

interface ShownQueue {
  queue: string;
  jobs: { ended: number[]; failed: number[]; slots: number | null; workers: number | null } | null;
  deliveries: Record<string, number | string | null>;
}

async function queuesOf(key: string, query = ''): Promise<Record<string, ShownQueue>> {
  const { body } = await api.call(key, `GET /api/v1/queues${query}`);
  return Object.fromEntries(body.queues.map((queue: ShownQueue) => [queue.queue, queue]));
}

async function storyIn({ key, team }: Account): Promise<number> {
  const body = { new_name: 'Triage', data: smallExport(), team_id: team.id };
  return (await api.call(key, 'POST /api/v1/stories/import', body)).body.id;
}

/** Deliveries as `[queue, state, attempts, error]`, each made and due a minute after the one before. */
async function deliver(storyId: number, rows: [string, string, number, string | null][]): Promise<void> {
  for (const [index, [queue, state, attempts, error]] of rows.entries()) {
    await stores.sql(
      `INSERT INTO deliveries
         (story_run_guid, story_id, agent_id, event_id, queue, depth, state, attempts, error, created_at, due_at)
       VALUES ('r', ?, 1, 1, ?, 1, ?, ?, ?, '2026-11-20 10:00:00' + INTERVAL ? MINUTE,
               '2026-11-21 10:00:00' + INTERVAL ? MINUTE)`,
      [storyId, queue, state, attempts, error, index, index],
    );
  }
}

/** The queues once they are as they should be: a count of five seconds is shared. */
const counted = (key: string, isSo: (queues: Record<string, ShownQueue>) => boolean, query = '') =>
  eventually(async () => {
    const queues = await queuesOf(key, query);
    return isSo(queues) && queues;
  }, 60_000);

/** The index of each table that a plan reads. */
const keys = (rows: PlanRow[]) =>
  rows
    .flatMap(({ table, key }) => (table === null || table.startsWith('<') ? [] : [`${table} ${key}`]))
    .join();

test('each queue tells why its deliveries wait', async () => {
  const account = await buildAccount(stores.db);
  await deliver(await storyIn(account), [
    ['email', 'failed', 3, 'gone'],
    ['email', 'waiting', 0, null],
    ['email', 'waiting', 2, 'no such host'],
    ['email', 'waiting', 1, 'no such host'],
    ['email', 'held', 0, null],
    ['email', 'pending', 0, null],
    ['trigger', 'parked', 0, null],
  ]);
  const {
    email,
    trigger,
    'http-request': idle,
    'webhook-events': spool,
  } = await counted(account.key, (queues) => queues['trigger']!.deliveries['parked'] === 1);
  expect(email).toEqual({
    queue: 'email',
    jobs: null,
    served: false,
    paused: false,
    deliveries: {
      pending: 1,
      held: 1,
      sleeping: 1,
      retrying: 2,
      next_retry_at: '2026-11-21T10:02:00Z',
      parked: 0,
      failed: 1,
      oldest_at: '2026-11-20T10:04:00Z',
      reasons: [
        {
          reason: 'retry',
          count: 2,
          oldest_at: '2026-11-20T10:02:00Z',
          until: '2026-11-21T10:02:00Z',
        },
        { reason: 'delay', count: 1, oldest_at: '2026-11-20T10:01:00Z', until: '2026-11-21T10:01:00Z' },
        { reason: 'fair_share', count: 1, oldest_at: '2026-11-20T10:04:00Z', until: null },
        { reason: 'no_process', count: 1, oldest_at: '2026-11-20T10:05:00Z', until: null },
      ],
    },
  });
  expect(trigger!.deliveries).toMatchObject({ parked: 1, pending: 0, oldest_at: null, next_retry_at: null });
  expect(idle!.deliveries).toEqual(spool!.deliveries);
});

test('nobody sees counts of other teams and tenants', async () => {
  const account = await buildAccount(stores.db);
  const neighbour = await buildAccount(stores.db, { tenantId: account.tenantId });
  const owner = await buildAccount(stores.db, { tenantId: account.tenantId, owner: true });
  const stranger = await buildAccount(stores.db, { owner: true });
  await deliver(await storyIn(account), [['email', 'held', 0, null]]);
  await deliver(await storyIn(neighbour), [['email', 'held', 0, null]]);
  const held = async (key: string, query = '') => (await queuesOf(key, query))['email']!.deliveries['held'];
  await counted(account.key, (queues) => queues['email']!.deliveries['held'] === 1);
  expect(await held(owner.key)).toBe(2);
  expect(await held(owner.key, `?team_id=${neighbour.team.id}`)).toBe(1);
  expect(await held(stranger.key)).toBe(0);
  const { status } = await api.call(stranger.key, `GET /api/v1/queues?team_id=${account.team.id}`);
  expect(status).toBe(404);
  expect((await queuesOf(stranger.key))['email']!.jobs).toBeNull();
});

/** Sleeping deliveries of a story. */
const addMany = (story: number, count: number) =>
  stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, created_at, due_at)
     SELECT 'r', ?, 1, 1, 'trigger', 1, 'waiting', '2026-11-01', '2026-11-01'
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) seq`,
    [story, JSON.stringify(Array.from({ length: count }, (_, n) => n))],
  );

test('a small tenant beside a large one reads all of its deliveries, and the oldest of its own', async () => {
  const [large, small] = [await buildAccount(stores.db), await buildAccount(stores.db)];
  await addMany(await storyIn(large), 25_000);
  await deliver(await storyIn(small), [
    ['trigger', 'waiting', 0, null],
    ['trigger', 'waiting', 1, 'no such host'],
    ['trigger', 'pending', 0, null],
    ['trigger', 'held', 0, null],
    ['trigger', 'parked', 0, null],
    ['trigger', 'failed', 1, 'gone'],
  ]);
  const all = await counted(large.key, (queues) => queues['trigger']!.deliveries['sleeping'] === 25_000);
  expect(all['trigger']!.deliveries).toMatchObject({ pending: 0, oldest_at: null });
  expect((await queuesOf(small.key))['trigger']!.deliveries).toEqual({
    pending: 1,
    held: 1,
    sleeping: 1,
    retrying: 1,
    next_retry_at: '2026-11-21T10:01:00Z',
    parked: 1,
    failed: 1,
    oldest_at: '2026-11-20T10:02:00Z',
    reasons: expect.any(Array),
  });
});

test('the walk counts each delivery once, whatever the size of its steps, by primary keys alone', async () => {
  const account = await buildAccount(stores.db);
  const story = await storyIn(account);
  await addMany(story, 10);
  await deliver(story, [
    ['email', 'held', 0, null],
    ['email', 'failed', 3, 'gone'],
  ]);
  const gone = await storyIn(account);
  await addMany(gone, 4);
  await stores.sql('DELETE FROM stories WHERE id = ?', [gone]);
  const mine = (counts: WorkCount[]) =>
    counts
      .filter(({ teamId }) => teamId === account.team.id)
      .map(({ queue, kind, count }) => `${queue} ${kind} ${count}`)
      .toSorted();
  for (const rowsAtOnce of [1, 3, 4, 16, 20_000]) {
    expect([rowsAtOnce, mine(await countQueueWork(stores.db, rowsAtOnce))]).toEqual([
      rowsAtOnce,
      ['email failed 1', 'email held 1', 'trigger sleeping 10'],
    ]);
  }
  const plans = await plansOf(
    stores.db,
    (session) => countQueueWork({ read: (work) => work(session) }),
    keys,
  );
  expect(plans).toEqual([
    expect.stringMatching(
      /^([ads]|deliveries) PRIMARY,([ads]|deliveries) PRIMARY,([ads]|deliveries) PRIMARY$/,
    ),
  ]);
});

test('an older count is given while a new one takes long, and none if there is no older one', async () => {
  const account = await buildAccount(stores.db);
  await deliver(await storyIn(account), [['email', 'held', 0, null]]);
  let isSlow = false;
  let asked = 0;
  let finish: (() => void) | undefined;
  const work = createCountedWork({
    redis: stores.redis,
    logger: stores.logger,
    prefix: `${stores.queuePrefix}-slow`,
    leastMs: 1,
    database: {
      async read(work) {
        asked += 1;
        if (isSlow) await new Promise<void>((resolve) => (finish = resolve));
        return stores.db.read(work);
      },
    },
  });
  const first = await work();
  expect(first!.counts).toContainEqual(expect.objectContaining({ teamId: account.team.id, kind: 'held' }));
  isSlow = true;
  const before = asked;
  let older = first;
  await eventually(async () => {
    const given = await work();
    if (asked === before) older = given;
    else expect(given).toBe(older);
    return asked > before;
  });
  finish?.();
  isSlow = false;
  await eventually(async () => (await work())!.countedAt > first!.countedAt);
});

test('a count that fails is logged once until one succeeds again', async () => {
  const { logger, lines } = recordingLogger();
  let isAway = true;
  const work = createCountedWork({
    redis: stores.redis,
    logger,
    prefix: `${stores.queuePrefix}-away`,
    leastMs: 1,
    database: {
      read: async (work) => {
        if (isAway) throw new Error('the database is away');
        return stores.db.read(work);
      },
    },
  });
  const told = () => lines().filter(({ level }) => level === 'warn');
  expect([await work(), await work(), await work()]).toEqual([null, null, null]);
  expect(told()).toEqual([
    { level: 'warn', message: 'could not count deliveries', error: 'the database is away' },
  ]);
  isAway = false;
  expect(await work()).not.toBeNull();
  expect(told()).toHaveLength(1);
  isAway = true;
  await eventually(async () => (await work()) === null);
  expect(told()).toHaveLength(2);
});

test('an Owner sees jobs, slots and ended jobs by minute, while there is one tenant', async () => {
  await stores.sql('DELETE FROM tenants', []);
  const fabula = await startFabula(stores, { relay: false });
  const { webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Say: says({ text: 'yes' }) }, ['Hook > Say']),
  );
  for (let n = 0; n < 3; n += 1) await fabula.fire(webhooks['Hook']!, { n });
  await fabula.settled();
  const transformations = async () => {
    const { body } = await call(fabula, 'GET /api/v1/queues');
    const queues = (body as { queues: ShownQueue[] }).queues;
    return queues.find(({ queue }) => queue === 'event-transformation')!.jobs;
  };
  // Readings of five seconds are shared.
  const jobs = await eventually(async () => {
    const read = await transformations();
    return read !== null && read.ended.reduce((sum, count) => sum + count, 0) >= 3 && read;
  }, 60_000);
  expect(jobs.ended).toHaveLength(60);
  expect(jobs.failed).toEqual(Array.from({ length: 60 }, () => 0));
  expect(jobs.slots).toBeGreaterThan(0);
  expect(jobs.workers).toBe(1);
  await buildAccount(stores.db);
  await eventually(async () => (await transformations()) === null, 60_000);
});
