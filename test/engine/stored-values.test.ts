import type { Session } from '../../src/platform/mysql/session.js';
import { createDatabase } from '../../src/platform/mysql/database.js';
import { insertRows, LEAST_PACKET_BYTES } from '../../src/platform/mysql/statements/insert-rows.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { insertEvents } from '../../src/engine/state/events/event-store.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { done, outputs, recordingWriter, storeDeliveries } from '../support/deliveries.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

test.each([
  ['keys in the order they came in', '{"b":1,"a":{"d":2,"c":3},"10":0,"2":0}'],
  ['numbers as they were written', '[1.0,12345678901234567890,1e400,-0,0.1000]'],
  ['halves of characters, NUL and characters of four bytes', '["\\ud800","\\u0000","😀","\ud83d\ude00"]'],
  ['a hundred times deeper than a JSON column takes', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['a key twice', '{"a":1,"a":2}'],
])('an event is stored to the letter: %s', async (_what, text) => {
  const [delivery] = await storeDeliveries(stores.db, 1);
  const { writer } = recordingWriter(stores.db);
  expect(await writer.submit(done(delivery!, text))).toMatchObject({ applied: true });
  expect(await outputs(stores.db)).toEqual([text]);
});

const rowsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    storyRunGuid: newRunGuid(),
    storyId: 1,
    agentId: 1,
    payload: String(from + index),
    lineage: '{}',
  }));
const stored = () =>
  stores.db.read((session) =>
    session.rows<{ id: number; payload: string }>('SELECT id, payload FROM events'),
  );

describe('the ids of rows that were inserted together', () => {
  test('are those of their rows, however many processes insert at once', async () => {
    const claimed = await Promise.all(
      Array.from({ length: 8 }, (_, process) =>
        stores.db.transaction(async (session) => {
          const pairs: [id: number, payload: string][] = [];
          for (let round = 0; round < 4; round++) {
            const rows = rowsOf(process * 10_000 + round * 1_000, 250);
            const ids = await insertEvents(session, rows);
            ids.forEach((id, index) => pairs.push([id, rows[index]!.payload]));
          }
          return pairs;
        }),
      ),
    );
    const rows = await stored();
    expect(rows).toHaveLength(8_000);
    expect(new Map(claimed.flat())).toEqual(new Map(rows.map(({ id, payload }) => [id, payload])));
  });

  test('keep to the step of the server', async () => {
    const database = createDatabase({ url: stores.databaseUrl, poolSize: 1, logger: createSilentLogger() });
    stores.onClose(() => database.close());
    await database.read((session) => session.run('SET SESSION auto_increment_increment = 7'));
    const rows = rowsOf(0, 20);
    const ids = await database.transaction((session) => insertEvents(session, rows));
    expect(new Map(ids.map((id, index) => [id, rows[index]!.payload]))).toEqual(
      new Map((await stored()).map(({ id, payload }) => [id, payload])),
    );
  });

  test('are not made up where fewer rows went in', async () => {
    const session = fakeSession(() => 1);
    const insert = { table: 'events', columns: ['a'], rows: [[1], [2]], sizeOf: () => 1 };
    await expect(insertRows(session, insert)).rejects.toThrow('1 of 2 rows');
  });
});

/** One that says of each insert what `insert` does: how many rows went in. */
function fakeSession(insert: (rows: number[][]) => number): Session {
  const session: Partial<Session> = {
    insert: async (_sql, rows) => ({ affectedRows: insert(rows as number[][]), insertId: 1 }),
  };
  return session as Session;
}

test('many rows go in several statements, each well below what the server takes', async () => {
  const statements: [bytes: number, rows: number][] = [];
  const session = fakeSession((rows) => {
    statements.push([rows.reduce((sum, [, bytes]) => sum + bytes!, 0), rows.length]);
    return rows.length;
  });
  const rows = [
    ...Array.from({ length: 20 }, () => [1, 300_000]),
    [1, 9_000_000],
    ...Array.from({ length: 2_500 }, () => [1, 10]),
  ];
  const insert = { table: 'events', columns: ['a', 'b'], rows, sizeOf: ([, bytes]: number[]) => bytes! };
  await insertRows(session, insert);
  expect(statements.reduce((sum, [, count]) => sum + count, 0)).toBe(rows.length);
  // A row that is larger goes alone; who makes it has asked whether it fits.
  const together = statements.filter(([, count]) => count > 1);
  expect(Math.max(...together.map(([bytes]) => bytes))).toBeLessThanOrEqual(LEAST_PACKET_BYTES / 4);
  expect(Math.max(...together.map(([, count]) => count))).toBeLessThanOrEqual(1_000);
  expect(statements.filter(([, count]) => count === 1)).toEqual([[9_000_000, 1]]);
});

test('tables that every event goes through have no foreign keys', async () => {
  const rows = await stores.db.read((session) =>
    session.rows<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.referential_constraints
       WHERE constraint_schema = DATABASE()
         AND table_name IN ('story_runs', 'events', 'deliveries', 'agent_logs', 'implode_items', 'story_calls')`,
    ),
  );
  expect(rows).toEqual([]);
});

test('guids of runs are in the order of their times', () => {
  const guids = Array.from({ length: 1_000 }, () => newRunGuid());
  expect(guids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(guids);
  expect(guids.every((guid) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(guid))).toBe(true);
});
