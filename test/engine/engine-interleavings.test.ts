import type { Database } from '../../src/platform/mysql/database.js';
import type { Config } from '../../src/config/config.js';
import { awaitedRuns } from '../../src/engine/follow-up/after-commit.js';
import { Cancellation } from '../../src/engine/execute/cancellation.js';
import { responseChannel } from '../../src/engine/state/runs/run-notifications.js';
import { createRunNotifications } from '../../src/engine/state/runs/run-notifications.js';
import { createResponseWaiter } from '../../src/web/webhooks/responses/response-waiter.js';
import { beforeCommit } from '../support/before-commit.js';
import { allDeliveries, bareWriter, done, storeDeliveries } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { type FabulaHereOptions, startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { says } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let running: TestFabulaHere[] = [];
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/ask': { hang: true } } });
});

afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
  await target.close();
});

async function start(options: FabulaHereOptions = { queues: [], relay: false }) {
  const fabula = await startFabulaHere(stores, options);
  running.push(fabula);
  return fabula;
}

/** Two processes on one corner of Redis; nobody takes jobs but the test. */
async function startTwo() {
  const one = await start();
  return [one, await start({ queues: [], relay: false, env: sameCorner(one.config) })] as const;
}

const sameCorner = ({ queuePrefix }: Config) => ({ QUEUE_PREFIX: queuePrefix });
const STOP = new Cancellation();
const NEVER = 3_600_000;

/**
 * The first group transactions of each of these are all open before one of them commits, and stay so for as long as it takes
 * to look at what is committed.
 */
function overlapping(databases: Pick<Database, 'groupTransaction' | 'ping'>[]): void {
  let open = 0;
  let letGo!: () => void;
  const allOpen = new Promise<void>((resolve) => (letGo = resolve));
  for (const database of databases) {
    let first = true;
    beforeCommit(database, async () => {
      if (!first) return;
      first = false;
      if (++open === databases.length) letGo();
      await allOpen;
      for (let look = 0; look < 20; look++) await database.ping();
    });
  }
}

test('who waits for a run whose last two branches end at the same moment hears that it is over', async () => {
  const [one, two] = await storeDeliveries(stores.db, 2, { awaited: true });
  const guid = one!.storyRunGuid;
  const parts = { redis: stores.redis, prefix: stores.queuePrefix, logger: stores.logger };
  const progress = createRunNotifications(parts);
  const redis = stores.redis.duplicate();
  const waiter = createResponseWaiter({ ...parts, database: stores.db, redis, pollMs: NEVER });
  const channel = responseChannel(stores.queuePrefix, guid);
  const over = waiter.expect(guid).wait(10_000);
  await eventually(async () => (await stores.redis.pubsub('NUMSUB', channel))[1] === 1);
  const databases = [{ ...stores.db }, { ...stores.db }];
  overlapping(databases);
  const writers = databases.map((database) =>
    bareWriter({ database, committed: { publish: (outcomes) => progress.advance(awaitedRuns(outcomes)) } }),
  );
  const branches = [one!, { ...two!, storyRunGuid: guid }];
  await stores.sql('UPDATE deliveries SET story_run_guid = ?', [guid]);
  await Promise.all(writers.map((writer, index) => writer.submit(done(branches[index]!, '{}', 0))));
  expect(await over).toEqual({ kind: 'ended' });
  await waiter.close();
  redis.disconnect();
});

test('a group whose last two members arrive at the same moment, in two processes, is made one event', async () => {
  const [one, two] = await startTwo();
  const story = await one.importStory(
    storyOf(
      {
        Hook: ['Webhook', {}],
        Join: [
          'EventTransformation',
          { mode: 'implode', item_path: '=hook.body.n', guid_path: 'g', size_path: 2 },
        ],
      },
      ['Hook > Join'],
    ),
  );
  for (const n of [1, 2]) await one.fire(story.webhooks['Hook']!, { n });
  const members = await allDeliveries(stores.db);
  overlapping([one.workers.database, two.workers.database]);
  await Promise.all(
    [one, two].map(({ workers }, index) =>
      workers.runDelivery({ deliveryId: members[index]!.id, generation: 0 }, STOP),
    ),
  );
  await one.settled();
  const joined = (await one.events()).filter(({ agent }) => agent === 'Join');
  expect(joined.map(({ payload }) => payload)).toEqual([[1, 2]]);
});

/** Each of these stops before its first group transaction until it is let go. */
function heldBeforeStoring(databases: Pick<Database, 'groupTransaction'>[]) {
  const held = { waiting: 0, letGo: () => undefined as void };
  const gate = new Promise<void>((resolve) => (held.letGo = resolve));
  for (const database of databases) {
    const transaction = database.groupTransaction.bind(database);
    let first = true;
    database.groupTransaction = async (work) => {
      if (first) {
        first = false;
        held.waiting += 1;
        await gate;
      }
      return transaction(work);
    };
  }
  return held;
}

/** How often it has been looked what there is of groups; who looks waits for `gate`. */
function groupLooksOf(database: Pick<Database, 'read'>) {
  const looks = { done: 0, gate: Promise.resolve() };
  const read = database.read.bind(database);
  database.read = async (work) => {
    let isLook = false;
    const result = await read((session) =>
      work({
        ...session,
        rows: async (sql, values) => {
          isLook ||= sql.includes('FROM implode_items');
          if (isLook) await looks.gate;
          return session.rows(sql, values);
        },
      }),
    );
    if (isLook) looks.done += 1;
    return result;
  };
  return looks;
}

test('a group whose time is over is taken by one of two sweepers; what comes meanwhile begins the next', async () => {
  const [one, two] = await startTwo();
  const other = await start({ queues: [], relay: false, env: sameCorner(one.config) });
  const options = { mode: 'implode', item_path: '=hook.body.n', guid_path: 'g', seconds: 3600 };
  const story = await one.importStory(
    storyOf({ Hook: ['Webhook', {}], Join: ['EventTransformation', options] }, ['Hook > Join']),
  );
  for (const n of [1, 2, 3]) await one.fire(story.webhooks['Hook']!, { n });
  const [first, second, late] = (await allDeliveries(stores.db)).map(({ id }) => id);
  const arrive = (id: number) => other.workers.runDelivery({ deliveryId: id, generation: 0 }, STOP);
  const due = (id: number) =>
    stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE id = ?', [id]);
  const joined = async () =>
    (await one.events()).filter(({ agent }) => agent === 'Join').map(({ payload }) => payload);
  const looks = groupLooksOf(other.workers.database);
  for (const [index, id] of [first!, second!].entries()) {
    await arrive(id);
    // The process that receives it looks at the group right after the COMMIT, before its time is over.
    await eventually(() => Promise.resolve(looks.done === index + 1));
  }
  await stores.sql('UPDATE implode_items SET expires_at = NOW(3) - INTERVAL 1 SECOND');

  const held = heldBeforeStoring([one.workers.database, two.workers.database]);
  await due(first!);
  const ticks = [one.workers.loops.parkedSweeper.tick()];
  await eventually(() => Promise.resolve(held.waiting === 1));
  await due(second!);
  ticks.push(two.workers.loops.parkedSweeper.tick());
  await eventually(() => Promise.resolve(held.waiting === 2));
  let look!: () => void;
  looks.gate = new Promise((resolve) => (look = resolve));
  await arrive(late!);
  held.letGo();
  expect(await Promise.all(ticks)).toEqual([1, 1]);
  // By now it finds the next group. Before, it would have been a third that takes the one whose time is over, with the late one.
  look();
  await eventually(() => Promise.resolve(looks.done === 3));
  expect(await joined()).toEqual([[1, 2]]);
  expect(await allDeliveries(stores.db)).toEqual([expect.objectContaining({ id: late, state: 'parked' })]);

  await stores.sql('UPDATE implode_items SET expires_at = NOW(3) - INTERVAL 1 SECOND');
  await due(late!);
  await other.workers.loops.parkedSweeper.tick();
  expect(await joined()).toEqual([[1, 2], [3]]);
  expect(await allDeliveries(stores.db)).toEqual([]);
});

const chain = () =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      Ask: ['HTTPRequest', { url: `${target.url}/ask`, method: 'get', timeout: 60 }],
      After: says({ status: '=ask.status' }),
      Join: ['EventTransformation', { mode: 'implode', guid_path: 'g', size_path: 2 }],
    },
    ['Hook > Ask > After', 'Hook > Join'],
  );

describe('a run that is cancelled', () => {
  test('by a process that died before it deleted anything is worked on no more, and all of it goes', async () => {
    const fabula = await start();
    const { webhooks } = await fabula.importStory(chain());
    await fabula.fire(webhooks['Hook']!);
    const [ask, join] = await allDeliveries(stores.db);
    await fabula.workers.runDelivery({ deliveryId: join!.id, generation: 0 }, STOP);
    await eventually(async () => (await allDeliveries(stores.db)).some(({ state }) => state === 'parked'));
    await stores.sql('UPDATE story_runs SET cancelled_at = NOW(3)');
    await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'parked'");
    expect(await fabula.workers.runDelivery({ deliveryId: ask!.id, generation: 0 }, STOP)).toMatchObject({
      outcome: 'done',
      eventIds: [],
    });
    await fabula.workers.loops.parkedSweeper.tick();
    expect(await allDeliveries(stores.db)).toEqual([]);
    expect(target.requests).toEqual([]);
    expect((await fabula.events()).map(({ agent }) => agent)).toEqual(['Hook']);
  });

  test('while an action was putting out an event has nobody work on that', async () => {
    const fabula = await start();
    target.on('/ask', { status: 204 });
    const { webhooks } = await fabula.importStory(chain());
    await fabula.fire(webhooks['Hook']!);
    const [ask] = await allDeliveries(stores.db);
    // Committed between the mark and the deletion of a cancel: what it has looked up already does not name the next.
    await stores.sql('DELETE FROM deliveries WHERE id <> ?', [ask!.id]);
    beforeCommit(fabula.workers.database, async () => {
      await stores.sql('UPDATE story_runs SET cancelled_at = NOW(3)');
    });
    await fabula.workers.runDelivery({ deliveryId: ask!.id, generation: 0 }, STOP);
    const [after, ...more] = await allDeliveries(stores.db);
    expect(more).toEqual([]);
    expect(after!.id).toBeGreaterThan(ask!.id);
    await fabula.workers.runDelivery({ deliveryId: after!.id, generation: 0 }, STOP);
    expect(await allDeliveries(stores.db)).toEqual([]);
    expect((await fabula.events()).map(({ agent }) => agent)).toEqual(['Hook', 'Ask']);
  });
});

test('what is woken before its time goes back to sleep until that time', async () => {
  const fabula = await start();
  const { webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Sleep: ['EventTransformation', { mode: 'delay', seconds: 3600 }] }, [
      'Hook > Sleep',
    ]),
  );
  await fabula.fire(webhooks['Hook']!);
  const [row] = await allDeliveries(stores.db);
  const work = (generation: number) => fabula.workers.runDelivery({ deliveryId: row!.id, generation }, STOP);
  expect(await work(0)).toMatchObject({ outcome: 'sleep' });
  // As the relay wakes it, three quarters of an hour later.
  await stores.sql("UPDATE deliveries SET state = 'pending', resume_at = NOW(3) + INTERVAL 900 SECOND");
  expect(await work(1)).toMatchObject({ outcome: 'sleep' });
  const [again] = await allDeliveries(stores.db);
  expect(again).toMatchObject({ state: 'waiting', generation: 2, attempts: 0 });
  expect(again!.dueInMs).toBeGreaterThan(850_000);
  expect(again!.dueInMs).toBeLessThanOrEqual(900_000);
});

test('a database that goes away under an action is no attempt of the action', async () => {
  const fabula = await start();
  const { webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], After: says({ a: '=RESOURCE.word' }) }, ['Hook > After']),
  );
  await fabula.fire(webhooks['Hook']!);
  const [before] = await allDeliveries(stores.db);
  const lost = Object.assign(new Error('Connection lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
  jest.spyOn(fabula.workers.values, 'load').mockRejectedValueOnce(lost);
  const job = { deliveryId: before!.id, generation: 0 };
  await expect(fabula.workers.runDelivery(job, STOP)).rejects.toBe(lost);
  const [row] = await allDeliveries(stores.db);
  expect(row).toEqual({ ...before, dueInMs: row!.dueInMs, ageMs: row!.ageMs });
  expect(await fabula.logs()).toEqual([]);
  expect(await fabula.workers.runDelivery(job, STOP)).toMatchObject({ outcome: 'done' });
});

test('a run that goes over more actions in a row than it may is a dead letter that says so', async () => {
  const fabula = await start({ env: { MAX_DEPTH: '6' } });
  const { webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], Ping: says({ n: 1 }), Pong: says({ n: 2 }) }, [
      'Hook > Ping > Pong > Ping',
    ]),
  );
  await fabula.fire(webhooks['Hook']!);
  await eventually(async () => (await fabula.deadLetters()).length > 0);
  await fabula.settled();
  expect((await fabula.deadLetters()).map(({ error }) => error)).toEqual([
    'The run passed more than 6 actions in a row: this is treated as a runaway loop',
  ]);
  expect(await fabula.events()).toHaveLength(7);
});

test('a webhook is answered when its event is committed, and not before', async () => {
  const fabula = await start();
  const { webhooks } = await fabula.importStory(
    storyOf({ Hook: ['Webhook', {}], After: says({ a: 1 }) }, ['Hook > After']),
  );
  const fire = () => fabula.fire(webhooks['Hook']!);
  expect((await fire()).status).toBe(201);
  const stored = async () => (await fabula.events()).length;
  let commit!: () => void;
  const mayCommit = new Promise<void>((resolve) => (commit = resolve));
  let written = false;
  beforeCommit(fabula.web.core.database, () => {
    written = true;
    return mayCommit;
  });
  let answered: number | undefined;
  const response = fire().then(async ({ status }) => {
    answered = await stored();
    return status;
  });
  await eventually(() => written);
  // The look-up takes longer than a response would.
  for (let look = 0; look < 5; look++) expect([await stored(), answered]).toEqual([1, undefined]);
  commit();
  expect(await response).toBe(201);
  expect(answered).toBe(2);
});
