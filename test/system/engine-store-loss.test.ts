import { CHAIN, CHAIN_ACTIONS } from '../support/chain-story.js';
import { eventually } from '../support/eventually.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { type PrivateStores, startPrivateStores } from '../support/private-stores.js';
import { useStores } from '../support/stores.js';

const shared = useStores();

let stores: PrivateStores;
beforeAll(async () => {
  stores = await startPrivateStores(shared, { database: true, redis: true });
});

let running: TestFabula[] = [];
afterEach(async () => {
  await Promise.all(running.map((fabula) => fabula.close()));
  running = [];
  await stores.db.read(async (session) => {
    for (const table of ['agents', 'stories', 'links', 'events', 'deliveries', 'story_runs', 'agent_logs']) {
      await session.run(`DELETE FROM ${table}`);
    }
  });
});

async function start(options: Parameters<typeof startFabula>[1] = {}) {
  const fabula = await startFabula(stores, options);
  running.push(fabula);
  return fabula;
}

async function fireMany(fabula: TestFabula, address: string, count: number) {
  const responses = await Promise.all(Array.from({ length: count }, (_value, number) => fireOne(number)));
  expect(new Set(responses)).toEqual(new Set([201]));

  /** As clients do after a 503, of which nothing was taken: on a busy machine a store may be too slow for a moment. */
  function fireOne(number: number): Promise<number> {
    return eventually(async () => {
      const { status } = await fabula.fire(address, { number });
      return status !== 503 && status;
    }, 60_000);
  }
}

async function expectCompleteRuns(fabula: TestFabula, runs: number) {
  const events = await fabula.events();
  for (const name of CHAIN_ACTIONS) {
    expect([name, events.filter((event) => event.agent === name).length]).toEqual([name, runs]);
  }
  expect(await fabula.deadLetters()).toEqual([]);
}

/** Waits until all is done; what has lost its job need not wait half a minute before the relay looks for it. */
async function settledSoon(fabula: TestFabula) {
  const hurried = async () => {
    await stores.sql(
      'UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE due_at > NOW(3) + INTERVAL 2 SECOND',
    );
    return fabula.settled(1_000).then(
      () => true,
      () => false,
    );
  };
  await eventually(hurried, 120_000);
}

test('FLUSHALL in the middle of many runs, with new ones coming in, loses nothing and doubles nothing', async () => {
  const fabula = await start();
  const { webhooks } = await fabula.importStory(CHAIN);
  const firing = fireMany(fabula, webhooks['Receive']!, 300);
  await eventually(async () => (await fabula.events()).some(({ agent: name }) => name === 'Exit'));
  await stores.redis.flushall();
  await fireMany(fabula, webhooks['Receive']!, 50);
  await stores.redis.flushall();
  await firing;
  await settledSoon(fabula);
  await expectCompleteRuns(fabula, 350);
});

test('a Redis that is killed and comes back empty gets the jobs of all that was pending', async () => {
  const web = await start({ queues: [], relay: false });
  const { webhooks } = await web.importStory(CHAIN);
  await fireMany(web, webhooks['Receive']!, 100);
  await stores.replaceRedis();
  // As they are when they have waited for a while: the walk leaves the newest ones to their own time.
  await stores.sql('UPDATE deliveries SET created_at = created_at - INTERVAL 10 SECOND');
  const fabula = await start({ env: { QUEUE_PREFIX: web.config.queuePrefix } });
  await fabula.settled(25_000);
  await expectCompleteRuns(fabula, 100);
});

test('the same with workers and relay running all the time', async () => {
  const fabula = await start();
  const { webhooks } = await fabula.importStory(CHAIN);
  await fireMany(fabula, webhooks['Receive']!, 20);
  await fabula.settled();
  await stores.replaceRedis();
  await fireMany(fabula, webhooks['Receive']!, 100);
  await settledSoon(fabula);
  await expectCompleteRuns(fabula, 120);
});

test('Redis away for a while: events are taken, and are done when it is back', async () => {
  const fabula = await start();
  const { webhooks } = await fabula.importStory(CHAIN);
  await fireMany(fabula, webhooks['Receive']!, 5);
  await fabula.settled();
  await stores.embedded.redis!.stop();
  await fireMany(fabula, webhooks['Receive']!, 40);
  const [row] = await stores.db.read((session) =>
    session.rows<{ pending: number }>('SELECT COUNT(*) AS pending FROM deliveries'),
  );
  expect(row!.pending).toBe(40);
  await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
  await stores.embedded.redis!.start();
  await fabula.settled(40_000);
  await expectCompleteRuns(fabula, 45);
});

test('MySQL away while actions are under way: what they came to is stored when it is back', async () => {
  const fabula = await start();
  const { webhooks } = await fabula.importStory(CHAIN);
  await fireMany(fabula, webhooks['Receive']!, 5);
  await fabula.settled();
  const firing = Promise.all(
    Array.from(
      { length: 100 },
      async (_value, number) => (await fabula.fire(webhooks['Receive']!, { number })).status,
    ),
  );
  await eventually(async () => (await fabula.events()).length > 40);
  process.kill(stores.embedded.mysql!.pid!, 'SIGKILL');
  await stores.embedded.mysql!.stop();
  await stores.embedded.mysql!.start();
  expect(new Set(await firing)).toEqual(new Set([201]));
  // Requests accepted while MySQL was away are in the spool until it is drained.
  await eventually(
    async () => (await fabula.events()).filter((event) => event.agent === 'Receive').length === 105,
    30_000,
  );
  // Jobs that met the outage while loading are given up to the relay.
  await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'pending'");
  await fabula.settled(120_000);
  await expectCompleteRuns(fabula, 105);
});
