import { createDatabase } from '../../src/platform/mysql/database.js';
import { CommitUnknown, isConnectionError, RowsMissed } from '../../src/platform/mysql/db-errors.js';
import { packetsOf } from '../../src/platform/mysql/multi-statement.js';
import { runScript, type Script } from '../../src/platform/mysql/statement-batch.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { Statement } from '../../src/platform/mysql/sql.js';
import { newRunGuid } from '../../src/engine/accept/start-runs.js';
import { consumeTokens, insertDeliveries } from '../../src/engine/state/delivery-store.js';
import { insertEvents } from '../../src/engine/state/event-store.js';
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

/** On connections that take one statement at a time, and on those that take several. */
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

describe.each(KINDS)('a script in a %s', (kind) => {
  /** Events and a delivery of each, with one script. */
  async function store(payloads: string[], options: { isLast: boolean }) {
    const events = eventsOf(payloads);
    return stores.db[kind]((session) =>
      runScript(session, options, (script) => {
        const inserted = insertEvents(script, events);
        const refs = inserted.refs();
        const deliveries = events.map(({ storyRunGuid }, index) => ({
          ...deliveryOf(storyRunGuid),
          eventId: refs[index]!,
        }));
        const pending = insertDeliveries(script, deliveries);
        return () => ({ eventIds: inserted.ids(), deliveryIds: pending.ids() });
      }),
    );
  }

  test.each([
    ['in one packet', Array.from({ length: 30 }, (_, index) => `${index}`), true],
    ['in several statements', Array.from({ length: 2_300 }, (_, index) => `${index}`), true],
    ['in several packets', Array.from({ length: 9 }, (_, index) => `"${index}${'x'.repeat(900_000)}"`), true],
    ['that others may follow', ['1', '2'], false],
  ])('gives rows the ids of those that it stores with them: %s', async (_what, payloads, isLast) => {
    const { eventIds, deliveryIds } = await store(payloads, { isLast });
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

  test('leaves nothing behind where a token is gone, whatever comes after it', async () => {
    const [first, second] = await storeDeliveries(stores.db, 2);
    await stores.sql('DELETE FROM deliveries WHERE id = ?', [second!.id]);
    const consume = (script: Script) => {
      consumeTokens(script, [first!.id, second!.id]);
      return insertEvents(script, eventsOf(['"too late"'])).ids;
    };
    const work = (session: Session) => runScript(session, { isLast: true }, consume);
    await expect(stores.db[kind](work)).rejects.toThrow(RowsMissed);
    expect((await allDeliveries(stores.db)).map(({ id }) => id)).toEqual([first!.id]);
    expect(await outputs(stores.db)).toEqual([]);
  });

  test('consumes no token twice', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const consume = (script: Script) => {
      consumeTokens(script, [delivery!.id, delivery!.id]);
      return insertEvents(script, eventsOf(['1', '2'])).ids;
    };
    const work = (session: Session) => runScript(session, { isLast: true }, consume);
    await expect(stores.db[kind](work)).rejects.toThrow(RowsMissed);
    expect(await allDeliveries(stores.db)).toHaveLength(1);
    expect(await outputs(stores.db)).toEqual([]);
  });

  test('leaves nothing behind where a statement fails after others', async () => {
    const [delivery] = await storeDeliveries(stores.db, 1);
    const consume = (script: Script) => {
      consumeTokens(script, [delivery!.id]);
      script.add('INSERT INTO settings (name, value) VALUES (?, 1)', ['x'.repeat(10_000)]);
      return insertEvents(script, eventsOf(['1'])).ids;
    };
    const work = (session: Session) => runScript(session, { isLast: true }, consume);
    await expect(stores.db[kind](work)).rejects.toThrow('too long');
    expect(await allDeliveries(stores.db)).toHaveLength(1);
    expect(await outputs(stores.db)).toEqual([]);
  });
});

const SLEEP = 'DO SLEEP(2)';

test.each([
  ['with the COMMIT', true],
  ['before the COMMIT', false],
])('a packet whose answer is lost %s leaves known what can be known', async (_what, isLast) => {
  const proxy = await startTcpProxy(stores.databaseUrl);
  const distant = createDatabase({ url: proxy.url, poolSize: 1, logger: createSilentLogger() });
  stores.onClose(() => distant.close());
  stores.onClose(() => proxy.close());
  await distant.groupTransaction((session) => session.rows('SELECT 1'));
  if (isLast) proxy.swallowCommits(1);
  const work = (session: Session) =>
    runScript(session, { isLast }, (script) => {
      const { ids } = insertEvents(script, eventsOf(['1']));
      if (!isLast) script.add(SLEEP, []);
      return ids;
    });
  const failed: Promise<unknown> = distant.groupTransaction(work).catch((error: unknown) => error);
  if (!isLast) {
    await eventually(() => isUnderWay(SLEEP));
    proxy.drop();
  }
  const error = await failed;
  expect(error instanceof CommitUnknown).toBe(isLast);
  expect(isConnectionError(error)).toBe(true);
  await eventually(async () => !(await isUnderWay(SLEEP)));
  expect(await outputs(stores.db)).toEqual(isLast ? ['1'] : []);
});

test('what an action puts out cannot end its statement and begin another', async () => {
  const deliveries = await storeDeliveries(stores.db, 4);
  const hostile = [
    `"'); DELETE FROM deliveries; --"`,
    `"\\\\'); DELETE FROM deliveries; --"`,
    `"\\"; COMMIT; DELETE FROM deliveries"`,
    `"?; @inserted0 \u0000 ; DELETE FROM deliveries /*"`,
  ];
  const { writer } = recordingWriter(stores.db);
  await Promise.all(deliveries.map((delivery, index) => writer.submit(done(delivery, hostile[index]))));
  expect((await outputs(stores.db)).toSorted()).toEqual(hostile.toSorted());
  expect(await allDeliveries(stores.db)).toHaveLength(4);
});

const two = (session: Session) => session.rows('SELECT 1; SELECT 2');

test('only connections of group commits take several statements at once', async () => {
  await expect(stores.db.read(two)).rejects.toThrow('syntax');
  await expect(stores.db.transaction(two)).rejects.toThrow('syntax');
});

const statement = (sql: string, more: Partial<Statement> = {}): Statement => ({
  sql,
  values: [],
  bytes: 1,
  ...more,
});
const textsOf = (statements: Statement[], commit = true) =>
  packetsOf(statements, { commit }).map(({ sql }) => sql);

describe('packets', () => {
  test('have what belongs together, and the COMMIT at the end of the last', () => {
    expect(textsOf([statement('A'), statement('B')])).toEqual(['A; B; COMMIT']);
    expect(textsOf([statement('A'), statement('B')], false)).toEqual(['A; B']);
    const large = { bytes: 1_500_000 };
    expect(textsOf([statement('A'), statement('B', large), statement('C', large)])).toEqual([
      'A; B',
      'C; COMMIT',
    ]);
    expect(textsOf([statement('A', { bytes: 9_000_000 }), statement('B')])).toEqual(['A', 'B; COMMIT']);
    expect(textsOf([])).toEqual([]);
  });

  test('are cut where many short rows come together, too', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => [index]);
    const statements: Statement[] = [];
    const session: Partial<Session> = { idStep: 1, runAll: async (all) => void statements.push(...all) };
    await runScript(session as Session, {}, (script) => {
      script.insert({ table: 'x', columns: ['a'], rows, sizeOf: () => 0 });
      return () => undefined;
    });
    expect(statements).toHaveLength(20);
    expect(packetsOf(statements, { commit: true }).length).toBeGreaterThan(2);
  });

  test('say which result is whose, and take the values in their order', () => {
    const [packet] = packetsOf(
      [
        statement('A ?', { values: [1], rows: 3 }),
        statement('B ? ?', { values: [2, [3]], idAs: '@b' }),
        statement('C'),
      ],
      { commit: true },
    );
    expect(packet!.statements.map(({ place }) => place)).toEqual([0, 2, 4]);
    expect(packet!.values).toEqual([1, 2, [3]]);
    expect(packet!.commits).toBe(true);
  });
});
