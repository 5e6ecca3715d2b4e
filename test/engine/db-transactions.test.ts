import { createDatabase } from '../../src/platform/mysql/database.js';
import { CommitUnknown, isConnectionError, RowsMissed } from '../../src/platform/mysql/db-errors.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { consumeTokens, insertDeliveries } from '../../src/engine/state/deliveries/delivery-store.js';
import { insertEvents } from '../../src/engine/state/events/event-store.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import {
  AGENT,
  allDeliveries,
  done,
  outputs,
  recordingWriter,
  storeDeliveries,
} from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();

/** On the connections of all, and on those of group commits. */
const KINDS = ['transaction', 'groupTransaction'] as const;

const eventsOf = (payloads: string[]) =>
  payloads.map((payload) => ({
    storyRunGuid: newRunGuid(),
    storyId: 1,
    agentId: AGENT,
    payload,
    lineage: '{}',
  }));
const deliveryOf = (storyRunGuid: string) => ({
  storyRunGuid,
  storyId: 1,
  agentId: 2,
  queue: 'trigger' as const,
  awaited: false,
  called: false,
  depth: 1,
});
/** Whether somebody is at it. */
const isUnderWay = async (sql: string) => {
  const rows = await stores.db.read((session) =>
    session.rows('SELECT 1 FROM information_schema.processlist WHERE info = ?', [sql]),
  );
  return rows.length > 0;
};
/** The deliveries whose event is of another run. */
const strays = () =>
  stores.db.read((session) =>
    session.rows(`SELECT d.id FROM deliveries d LEFT JOIN events e ON e.id = d.event_id
                  WHERE e.story_run_guid IS NULL OR e.story_run_guid <> d.story_run_guid`),
  );

describe.each(KINDS)('statements in a %s', (kind) => {
  /** Events and a delivery of each. */
  async function store(payloads: string[]) {
    const events = eventsOf(payloads);
    return stores.db[kind](async (session) => {
      const eventIds = await insertEvents(session, events);
      const deliveries = events.map(({ storyRunGuid }, index) => ({
        ...deliveryOf(storyRunGuid),
        eventId: eventIds[index]!,
      }));
      return { eventIds, deliveryIds: await insertDeliveries(session, deliveries) };
    });
  }

  test.each([
    ['one statement', Array.from({ length: 30 }, (_, index) => `${index}`)],
    ['several statements', Array.from({ length: 2_300 }, (_, index) => `${index}`)],
    ['several large statements', Array.from({ length: 9 }, (_, index) => `"${index}${'x'.repeat(900_000)}"`)],
  ])('give deliveries the ids of events that they store before: %s', async (_what, payloads) => {
    const { eventIds, deliveryIds } = await store(payloads);
    expect(await strays()).toEqual([]);
    const rows = await stores.db.read((session) =>
      session.rows<{ id: number; eventId: number; payload: string }>(
        `SELECT d.id, e.id AS eventId, e.payload FROM deliveries d JOIN events e ON e.id = d.event_id ORDER BY d.id`,
      ),
    );
    expect(rows.map(({ payload }) => payload)).toEqual(payloads);
    expect(rows.map(({ id }) => id)).toEqual(deliveryIds);
    expect(rows.map(({ eventId }) => eventId)).toEqual(eventIds);
  });

  test('leave nothing behind where a token is gone, whatever comes after it', async () => {
    const [first, second] = await storeDeliveries(stores.db, 2);
    await stores.sql('DELETE FROM deliveries WHERE id = ?', [second!.id]);
    const work = async (session: Session) => {
      await consumeTokens(session, [first!.id, second!.id]);
      await insertEvents(session, eventsOf(['"too late"']));
    };
    await expect(stores.db[kind](work)).rejects.toThrow(RowsMissed);
    expect((await allDeliveries(stores.db)).map(({ id }) => id)).toEqual([first!.id]);
    expect(await outputs(stores.db)).toEqual([]);
  });

  test('consume no token twice', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const work = async (session: Session) => {
      await consumeTokens(session, [delivery!.id, delivery!.id]);
      await insertEvents(session, eventsOf(['1', '2']));
    };
    await expect(stores.db[kind](work)).rejects.toThrow(RowsMissed);
    expect(await allDeliveries(stores.db)).toHaveLength(1);
    expect(await outputs(stores.db)).toEqual([]);
  });

  test('leave nothing behind where a statement fails after others', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const work = async (session: Session) => {
      await consumeTokens(session, [delivery!.id]);
      await insertEvents(session, eventsOf(['1']));
      await session.run('INSERT INTO settings (name, value) VALUES (?, 1)', ['x'.repeat(10_000)]);
    };
    await expect(stores.db[kind](work)).rejects.toThrow('too long');
    expect(await allDeliveries(stores.db)).toHaveLength(1);
    expect(await outputs(stores.db)).toEqual([]);
  });
});

const SLEEP = 'DO SLEEP(2)';

test.each([
  ['COMMIT', true],
  ['a statement before it', false],
])('when the response to %s is lost, what can be known is known', async (_what, isCommit) => {
  const proxy = await startTcpProxy(stores.databaseUrl);
  const distant = createDatabase({ url: proxy.url, poolSize: 1, logger: createSilentLogger() });
  stores.onClose(() => distant.close());
  stores.onClose(() => proxy.close());
  await distant.groupTransaction((session) => session.rows('SELECT 1'));
  if (isCommit) proxy.swallowCommits(1);
  const work = async (session: Session) => {
    await insertEvents(session, eventsOf(['1']));
    if (!isCommit) await session.run(SLEEP);
  };
  const failed: Promise<unknown> = distant.groupTransaction(work).catch((error: unknown) => error);
  if (!isCommit) {
    await eventually(() => isUnderWay(SLEEP));
    proxy.drop();
  }
  const error = await failed;
  expect(error instanceof CommitUnknown).toBe(isCommit);
  expect(isConnectionError(error)).toBe(true);
  await eventually(async () => !(await isUnderWay(SLEEP)));
  expect(await outputs(stores.db)).toEqual(isCommit ? ['1'] : []);
});

test('what an action puts out cannot end its statement and begin another', async () => {
  const deliveries = await storeDeliveries(stores.db, 4);
  const hostile = [
    `"'); DELETE FROM deliveries; --"`,
    `"\\\\'); DELETE FROM deliveries; --"`,
    `"\\"; COMMIT; DELETE FROM deliveries"`,
    `"?; \u0000 ; DELETE FROM deliveries /*"`,
  ];
  const { writer } = recordingWriter(stores.db);
  await Promise.all(deliveries.map((delivery, index) => writer.submit(done(delivery, hostile[index]))));
  expect((await outputs(stores.db)).toSorted()).toEqual(hostile.toSorted());
  expect(await allDeliveries(stores.db)).toHaveLength(4);
});

const two = (session: Session) => session.rows('SELECT 1; SELECT 2');

test('no connection takes several statements at once', async () => {
  await expect(stores.db.read(two)).rejects.toThrow('syntax');
  await expect(stores.db.transaction(two)).rejects.toThrow('syntax');
  await expect(stores.db.groupTransaction(two)).rejects.toThrow('syntax');
});
