import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { findOutcomes } from '../../src/web/webhooks/responses/response-store.js';
import {
  AGENT,
  allDeliveries,
  done,
  logMessages,
  outputs,
  RECEIVER,
  recordingWriter,
  storeDeliveries,
  undone,
} from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();

/** A second pool, as another process has it. */
function openDatabase(url: string): Database {
  const database = createDatabase({ url, poolSize: 4, logger: createSilentLogger() });
  stores.onClose(() => database.close());
  return database;
}

/** The same in another order each time the tests run. */
function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe('a delivery that is done', () => {
  test('is consumed; its event, its log line and the next delivery are there, and a job is asked for', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const { writer, jobs } = recordingWriter(stores.db);
    const committed = await writer.submit(done(delivery!));
    expect(committed).toEqual({ applied: true, eventIds: [expect.any(Number)] });
    const [next, ...more] = await allDeliveries(stores.db);
    expect(more).toEqual([]);
    expect(next).toMatchObject({ agentId: RECEIVER, state: 'pending', generation: 0, attempts: 0 });
    expect(next!.dueInMs + next!.ageMs).toBeGreaterThan(29_000);
    expect(next!.dueInMs).toBeLessThanOrEqual(30_000);
    expect(jobs).toEqual([{ queue: 'email', storyId: 1, deliveryId: next!.id, generation: 0 }]);
    expect(await outputs(stores.db)).toEqual(['{"out":1}']);
    expect(await logMessages(stores.db)).toEqual([`done ${delivery!.id}`]);
  });

  test('drops a second outcome whole: no event, no delivery, no log line, no job', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const { writer, jobs } = recordingWriter(stores.db);
    await writer.submit(done(delivery!, '{"out":"first"}'));
    expect(await writer.submit(done(delivery!, '{"out":"second"}'))).toEqual({
      applied: false,
      eventIds: [],
    });
    expect(await writer.submit(undone(delivery!, 'retry'))).toMatchObject({ applied: false });
    expect(await writer.submit(undone(delivery!, 'failed'))).toMatchObject({ applied: false });
    expect(await outputs(stores.db)).toEqual(['{"out":"first"}']);
    expect(await allDeliveries(stores.db)).toHaveLength(1);
    expect(await logMessages(stores.db)).toEqual([`done ${delivery!.id}`]);
    expect(jobs).toHaveLength(1);
  });

  test('by two outcomes of one batch is done by one of them', async () => {
    const [delivery, other] = await storeDeliveries(stores.db, 2);
    const { writer } = recordingWriter(stores.db);
    const results = await Promise.all([
      writer.submit(done(delivery!, '{"out":"a"}')),
      writer.submit(done(other!, '{"out":"other"}')),
      writer.submit(done(delivery!, '{"out":"b"}')),
    ]);
    expect(results.map(({ applied }) => applied)).toEqual([true, true, false]);
    expect(await outputs(stores.db)).toEqual(['{"out":"a"}', '{"out":"other"}']);
    expect(await allDeliveries(stores.db)).toHaveLength(2);
  });

  test('and gone before the batch leaves the others of the batch stored exactly once', async () => {
    const deliveries = await storeDeliveries(stores.db, 60);
    const { writer, jobs } = recordingWriter(stores.db);
    const gone = [deliveries[7]!, deliveries[41]!];
    await stores.sql('DELETE FROM deliveries WHERE id IN (?)', [gone.map(({ id }) => id)]);
    const results = await Promise.all(
      shuffled(deliveries).map(async (delivery) => ({
        id: delivery.id,
        ...(await writer.submit(done(delivery, JSON.stringify({ id: delivery.id })))),
      })),
    );
    const dropped = results.filter(({ applied }) => !applied).map(({ id }) => id);
    expect(dropped.toSorted((a, b) => a - b)).toEqual(gone.map(({ id }) => id));
    const expected = deliveries.filter((row) => !gone.includes(row)).map(({ id }) => JSON.stringify({ id }));
    expect((await outputs(stores.db)).toSorted()).toEqual(expected.toSorted());
    expect(await allDeliveries(stores.db)).toHaveLength(58);
    expect(jobs).toHaveLength(58);
    expect(await logMessages(stores.db)).toHaveLength(58);
  });

  test('gives each output, receiver and job its own event and delivery', async () => {
    const deliveries = await storeDeliveries(stores.db, 3);
    const { writer, jobs } = recordingWriter(stores.db);
    const [one, two, three] = deliveries;
    const fan = {
      ...done(two!),
      outputs: ['a', 'b', 'c'].map((out) => ({ ...done(two!).outputs[0]!, payload: `"${out}"` })),
    };
    const quiet = { ...done(three!), outputs: [] };
    const results = await Promise.all(
      [done(one!, '"x"', 2), fan, quiet].map((outcome) => writer.submit(outcome)),
    );
    expect(results.map(({ eventIds }) => eventIds.length)).toEqual([1, 3, 0]);
    const rows = await stores.db.read((session) =>
      session.rows<{ id: number; payload: string; guid: string }>(
        `SELECT d.id, e.payload, e.story_run_guid AS guid FROM deliveries d JOIN events e ON e.id = d.event_id
         ORDER BY d.id`,
      ),
    );
    expect(rows.map(({ payload }) => payload)).toEqual(['"x"', '"x"', '"a"', '"b"', '"c"']);
    expect(rows.map(({ guid }) => guid)).toEqual([
      ...[one, one].map((row) => row!.storyRunGuid),
      ...[two, two, two].map((row) => row!.storyRunGuid),
    ]);
    expect(jobs.map(({ deliveryId }) => deliveryId)).toEqual(rows.map(({ id }) => id));
  });
});

describe('a delivery that is not done', () => {
  test('is tried again: it waits until its time by the database clock, with the next generation', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const { writer, jobs } = recordingWriter(stores.db);
    expect(await writer.submit(undone(delivery!, 'retry', { delayMs: 40_000 }))).toMatchObject({
      applied: true,
    });
    const [row] = await allDeliveries(stores.db);
    expect(row).toMatchObject({
      state: 'waiting',
      generation: 1,
      attempts: 1,
      error: `retry ${delivery!.id}`,
      failed: 0,
    });
    expect(row!.dueInMs).toBeLessThanOrEqual(40_000);
    expect(row!.dueInMs).toBeGreaterThan(30_000);
    expect(jobs).toEqual([]);
    expect(await logMessages(stores.db)).toEqual([`retry ${delivery!.id}`]);
  });

  test('rests without having made an attempt, and keeps the error of the attempt before', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const { writer } = recordingWriter(stores.db);
    await writer.submit(undone(delivery!, 'retry'));
    await writer.submit(undone({ ...delivery!, generation: 1 }, 'rest', { error: null, logs: [] }));
    expect(await allDeliveries(stores.db)).toMatchObject([
      { state: 'waiting', generation: 2, attempts: 1, error: `retry ${delivery!.id}` },
    ]);
  });

  test.each(['disabled', 'frozen'] as const)(
    'that waits while its story is %s sleeps on without that reason, and keeps any other',
    async (reason) => {
      const [delivery] = await storeDeliveries(stores.db, 1);
      const { writer } = recordingWriter(stores.db);
      const reasons = () => stores.db.read((session) => session.rows('SELECT wait_reason FROM deliveries'));
      await writer.submit(undone(delivery!, 'rest', { reason }));
      expect(await reasons()).toEqual([{ wait_reason: reason }]);
      await writer.submit(undone({ ...delivery!, generation: 1 }, 'sleep'));
      expect(await reasons()).toEqual([{ wait_reason: null }]);
      await writer.submit(undone({ ...delivery!, generation: 2 }, 'sleep', { reason: 'throttle' }));
      await writer.submit(undone({ ...delivery!, generation: 3 }, 'sleep'));
      expect(await reasons()).toEqual([{ wait_reason: 'throttle' }]);
    },
  );

  test('for good is a dead letter with its error and time, and its awaited run can end', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1, { awaited: true });
    const { writer, progress } = recordingWriter(stores.db);
    await writer.submit(undone(delivery!, 'failed'));
    expect(await allDeliveries(stores.db)).toMatchObject([
      { state: 'failed', failed: 1, attempts: 1, error: `failed ${delivery!.id}` },
    ]);
    expect(progress).toEqual([delivery!.storyRunGuid]);
    expect(await findOutcomes(stores.db, progress)).toEqual(new Map([[progress[0], { kind: 'ended' }]]));
  });

  test('asks whether an awaited run is over only where nothing came of the work', async () => {
    const [goesOn, ends] = await storeDeliveries(stores.db, 2, { awaited: true });
    const { writer, progress } = recordingWriter(stores.db);
    await Promise.all([writer.submit(done(goesOn!)), writer.submit(done(ends!, '{"out":1}', 0))]);
    expect(progress).toEqual([ends!.storyRunGuid]);
  });

  test.each(['retry', 'rest', 'failed'] as const)(
    'by a try of an older generation (%s) changes nothing, in a batch with others too',
    async (kind) => {
      const [delivery, other] = await storeDeliveries(stores.db, 2);
      await stores.sql('UPDATE deliveries SET generation = 4 WHERE id = ?', [delivery!.id]);
      const before = (await allDeliveries(stores.db))[0];
      const { writer } = recordingWriter(stores.db);
      const results = await Promise.all([
        writer.submit(undone(delivery!, kind)),
        writer.submit(done(other!)),
      ]);
      expect(results.map(({ applied }) => applied)).toEqual([false, true]);
      const [row] = await allDeliveries(stores.db);
      expect(row).toEqual({ ...before, dueInMs: row!.dueInMs, ageMs: row!.ageMs });
      expect(await logMessages(stores.db)).toEqual([`done ${other!.id}`]);
    },
  );

  test('success wins against a newer generation, and against a dead letter', async () => {
    const [newer, dead] = await storeDeliveries(stores.db, 2);
    const { writer } = recordingWriter(stores.db);
    await writer.submit(undone(newer!, 'retry'));
    await writer.submit(undone(dead!, 'failed'));
    const results = await Promise.all([writer.submit(done(newer!)), writer.submit(done(dead!))]);
    expect(results.map(({ applied }) => applied)).toEqual([true, true]);
    expect((await allDeliveries(stores.db)).map(({ agentId }) => agentId)).toEqual([RECEIVER, RECEIVER]);
  });

  test('success wins against a failure of the same batch, whichever comes first', async () => {
    const [one, two] = await storeDeliveries(stores.db, 2);
    const { writer } = recordingWriter(stores.db);
    const results = await Promise.all(
      [undone(one!, 'failed'), done(one!), done(two!), undone(two!, 'retry')].map((each) =>
        writer.submit(each),
      ),
    );
    expect(results.map(({ applied }) => applied)).toEqual([false, true, true, false]);
    expect(await logMessages(stores.db)).toEqual([`done ${one!.id}`, `done ${two!.id}`]);
  });

  test('the failure of the current generation is not lost beside one of an older', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    await stores.sql('UPDATE deliveries SET generation = 1');
    const { writer } = recordingWriter(stores.db);
    const results = await Promise.all([
      writer.submit(undone(delivery!, 'failed', { error: 'old' })),
      writer.submit(undone({ ...delivery!, generation: 1 }, 'retry', { error: 'current' })),
    ]);
    expect(results.map(({ applied }) => applied)).toEqual([false, true]);
    expect(await allDeliveries(stores.db)).toMatchObject([{ state: 'waiting', error: 'current' }]);
  });

  test.each([
    ['a character cut in half', 'x'.repeat(20) + '😀'.slice(0, 1), `${'x'.repeat(20)}�`],
    ['a NUL, quotes and backslashes', 'a\u0000"\'\\', 'a\u0000"\'\\'],
    ['all kinds of characters', 'ü漢😀\n', 'ü漢😀\n'],
  ])('keeps an error with %s', async (_what, error, stored) => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const { writer } = recordingWriter(stores.db);
    await writer.submit(undone(delivery!, 'failed', { error }));
    expect(await allDeliveries(stores.db)).toMatchObject([{ state: 'failed', error: stored }]);
  });
});

describe('an outcome that the database refuses', () => {
  test('becomes a dead letter with the reason, and the others of its batch are stored once', async () => {
    const deliveries = await storeDeliveries(stores.db, 20);
    const { writer, jobs } = recordingWriter(stores.db);
    const bad = deliveries[11]!;
    // Negative ids do not fit the column.
    const broken = {
      ...done(bad),
      outputs: [{ ...done(bad).outputs[0]!, receivers: [{ agentId: -5, queue: 'email' as const }] }],
    };
    const results = await Promise.all(
      deliveries.map((delivery) =>
        writer.submit(delivery === bad ? broken : done(delivery, JSON.stringify({ id: delivery.id }))),
      ),
    );
    expect(results.filter(({ error }) => error !== undefined)).toEqual([
      { applied: true, eventIds: [], error: expect.stringContaining('could not be stored') as string },
    ]);
    const rows = await allDeliveries(stores.db);
    const letters = rows.filter(({ state }) => state === 'failed');
    expect(letters).toMatchObject([
      {
        id: bad.id,
        failed: 1,
        error: expect.stringMatching(/^The result could not be stored: .*agent_id/) as string,
      },
    ]);
    expect(rows).toHaveLength(20);
    expect(jobs).toHaveLength(19);
    expect(await outputs(stores.db)).toHaveLength(19);
    expect(await logMessages(stores.db)).toContain(letters[0]!.error);
  });

  test('because no packet can hold its event becomes a dead letter, and holds up nobody', async () => {
    const [large, small] = await storeDeliveries(stores.db, 2);
    const { maxAllowedPacket } = await stores.db.facts();
    const { writer } = recordingWriter(stores.db);
    const text = JSON.stringify('漢'.repeat(Math.ceil(maxAllowedPacket / 6)));
    const [committed] = await Promise.all([writer.submit(done(large!, text)), writer.submit(done(small!))]);
    expect(committed.error).toMatch(/too large/);
    expect(await allDeliveries(stores.db)).toMatchObject([
      { id: large!.id, state: 'failed', error: expect.stringContaining('too large') as string },
      { agentId: RECEIVER },
    ]);
    expect(await outputs(stores.db)).toEqual(['{"out":1}']);
  });

  test('many events that only together are larger than a packet are all stored', async () => {
    const deliveries = await storeDeliveries(stores.db, 4);
    const { writer } = recordingWriter(stores.db);
    const text = JSON.stringify('"漢\\'.repeat(400_000));
    await Promise.all(deliveries.map((delivery) => writer.submit(done(delivery, text))));
    const stored = await outputs(stores.db);
    expect(stored).toHaveLength(4);
    expect(stored.every((payload) => payload === text)).toBe(true);
  });
});

describe('faults on the way to the database', () => {
  let proxy: TcpProxy;
  let database: Database;

  beforeEach(async () => {
    proxy = await startTcpProxy(stores.databaseUrl);
    database = createDatabase({ url: proxy.url, poolSize: 4, logger: createSilentLogger() });
  });
  afterEach(async () => {
    await database.close();
    await proxy.close();
  });

  test('a lost answer to COMMIT doubles nothing and loses nothing, log lines and failures included', async () => {
    const deliveries = await storeDeliveries(stores.db, 30);
    const { writer } = recordingWriter(database);
    const outcomes = deliveries.map((delivery, index) =>
      index % 3 === 0 ? undone(delivery, 'retry') : done(delivery, JSON.stringify({ id: delivery.id })),
    );
    proxy.swallowCommits(3);
    await Promise.all(outcomes.map((outcome) => writer.submit(outcome)));
    expect(proxy.swallowed()).toBeGreaterThan(0);
    proxy.swallowCommits(0);
    expect(await outputs(stores.db)).toHaveLength(20);
    expect(new Set(await outputs(stores.db)).size).toBe(20);
    const rows = await allDeliveries(stores.db);
    expect(rows.filter(({ state }) => state === 'waiting')).toHaveLength(10);
    expect(rows.filter(({ agentId }) => agentId === RECEIVER)).toHaveLength(20);
    expect(rows.every(({ attempts, state }) => attempts === (state === 'waiting' ? 1 : 0))).toBe(true);
    expect(await logMessages(stores.db)).toHaveLength(30);
  });

  test('a lost answer to COMMIT leaves no delivery without a job: the relay need not look for it', async () => {
    const deliveries = await storeDeliveries(stores.db, 8);
    const { writer, jobs } = recordingWriter(database);
    proxy.swallowCommits(1);
    await Promise.all(deliveries.map((delivery) => writer.submit(done(delivery))));
    expect(proxy.swallowed()).toBe(1);
    const next = (await allDeliveries(stores.db)).filter(({ agentId }) => agentId === RECEIVER);
    expect(next).toHaveLength(8);
    expect(new Set(jobs.map(({ deliveryId }) => deliveryId))).toEqual(new Set(next.map(({ id }) => id)));
  });

  test('an outage is waited for, and no connection of before it is used again', async () => {
    const deliveries = await storeDeliveries(stores.db, 10);
    const { writer, jobs } = recordingWriter(database);
    await writer.submit(done(deliveries[0]!));
    proxy.cut();
    const waiting = Promise.all(deliveries.slice(1).map((delivery) => writer.submit(done(delivery))));
    await expect(database.ping()).rejects.toThrow();
    proxy.restore();
    expect((await waiting).every(({ applied }) => applied)).toBe(true);
    expect(await outputs(stores.db)).toHaveLength(10);
    expect(jobs).toHaveLength(10);
  });

  test('locks that others hold are waited for: time-outs and deadlocks have the batch repeated', async () => {
    const deliveries = await storeDeliveries(stores.db, 12);
    let tries = 0;
    const { writer } = recordingWriter({
      ...stores.db,
      groupTransaction: (work) => {
        tries += 1;
        return stores.db.groupTransaction(work);
      },
    });
    const other = openDatabase(stores.databaseUrl);
    const [first, last] = [deliveries[0]!, deliveries.at(-1)!];
    // Locks the last row, then, while the batch waits for it, the first: a deadlock one of the two must lose.
    const rival = other.transaction(async (session) => {
      await session.rows('SELECT id FROM deliveries WHERE id = ? FOR UPDATE', [last.id]);
      const batch = Promise.all(deliveries.map((delivery) => writer.submit(done(delivery))));
      // Holds the batch up for longer than the lock time-out.
      await eventually(() => tries > 1);
      await session.rows('SELECT id FROM deliveries WHERE id = ? FOR UPDATE', [first.id]);
      return { batch };
    });
    await rival.catch((error: unknown) => expect(error).toMatchObject({ errno: 1213 }));
    await writer.drain();
    expect(tries).toBeGreaterThan(1);
    expect(await outputs(stores.db)).toHaveLength(12);
    expect((await allDeliveries(stores.db)).every(({ agentId }) => agentId !== AGENT)).toBe(true);
  });
});

test('two processes that race over the same 500 deliveries store each event once, without a deadlock coming out', async () => {
  const deliveries = await storeDeliveries(stores.db, 500);
  const writers = [stores.databaseUrl, stores.databaseUrl].map((url) => recordingWriter(openDatabase(url)));
  const results = await Promise.all(
    writers.flatMap(({ writer }) =>
      shuffled(deliveries).map(async (delivery) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
        return writer.submit(done(delivery, JSON.stringify({ id: delivery.id })));
      }),
    ),
  );
  expect(results.filter(({ applied }) => applied)).toHaveLength(500);
  const stored = await outputs(stores.db);
  expect(stored).toHaveLength(500);
  expect(new Set(stored).size).toBe(500);
  expect(await allDeliveries(stores.db)).toHaveLength(500);
  expect(writers.flatMap(({ jobs }) => jobs)).toHaveLength(500);
});
