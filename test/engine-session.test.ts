import { createDatabase, type Database } from '../src/db/database.js';
import { isConnectionError, isTransient } from '../src/db/db-errors.js';
import { createSilentLogger } from '../src/logger.js';
import { eventually } from './support/eventually.js';
import { useStores } from './support/stores.js';

const stores = useStores();
let database: Database;

/** One connection only, so that what one piece of work leaves behind the next one finds. */
beforeEach(() => {
  database = createDatabase({
    url: stores.databaseUrl,
    poolSize: 1,
    logger: createSilentLogger(),
    statementTimeoutMs: 1_000,
  });
});
afterEach(() => database.close());

const connectionId = () =>
  database.read(
    async (session) => (await session.rows<{ id: number }>('SELECT CONNECTION_ID() AS id'))[0]!.id,
  );
const settings = () =>
  stores.db.read(async (session) =>
    (await session.rows<{ name: string }>("SELECT name FROM settings WHERE name LIKE 'try%'")).map(
      ({ name }) => name,
    ),
  );
const INSERT = "INSERT INTO settings (name, value) VALUES (?, 'x')";

test('a transaction that fails leaves nothing behind, and its connection serves on', async () => {
  const before = await connectionId();
  await expect(
    database.transaction(async (session) => {
      await session.run(INSERT, ['try-1']);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await settings()).toEqual([]);
  expect(await connectionId()).toBe(before);
});

test('a statement that takes too long ends its connection: the transaction it left open serves nobody else', async () => {
  const before = await connectionId();
  const error: unknown = await database
    .transaction(async (session) => {
      await session.run(INSERT, ['try-2']);
      await session.rows('SELECT SLEEP(3)');
    })
    .catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
  expect(await connectionId()).not.toBe(before);
  await database.transaction((session) => session.run(INSERT, ['try-3']));
  expect(await settings()).toEqual(['try-3']);
  // Its locks go as well, once the server has noticed.
  await eventually(() =>
    stores.db
      .read((session) => session.run(INSERT, ['try-2']))
      .then(
        () => true,
        (reason: unknown) => (isTransient(reason) ? false : Promise.reject(reason)),
      ),
  );
});

test('a server that ends the connection in the middle is an error of the connection, and the next work gets another', async () => {
  const id = await connectionId();
  const work = database.transaction(async (session) => {
    await session.run(INSERT, ['try-4']);
    await stores.db.read((other) => other.run('KILL ?', [id]));
    await session.run(INSERT, ['try-5']);
  });
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
  expect(await connectionId()).not.toBe(id);
  expect(await settings()).toEqual([]);
});

test('every connection is set up by us, whatever the server prefers', async () => {
  const [row] = await database.read((session) =>
    session.rows<Record<string, unknown>>(
      `SELECT @@innodb_lock_wait_timeout AS lockWait, @@time_zone AS zone, @@wait_timeout AS idle,
              @@sql_mode LIKE '%STRICT_ALL_TABLES%' AS strict`,
    ),
  );
  expect(row).toEqual({ lockWait: 3, zone: '+00:00', idle: 60, strict: 1 });
});

test('transactions see what others have committed meanwhile', async () => {
  const seen = await database.transaction(async (session) => {
    const count = async () => (await session.rows("SELECT name FROM settings WHERE name LIKE 'try%'")).length;
    const before = await count();
    await stores.db.read((other) => other.run(INSERT, ['try-6']));
    return [before, await count()];
  });
  expect(seen).toEqual([0, 1]);
});

test('a session that the server ended while the process was frozen is an error of the connection, whatever it says', async () => {
  const id = await connectionId();
  const error: unknown = await database
    .transaction(async (session) => {
      await session.run(INSERT, ['try-6']);
      await session.run('SET SESSION wait_timeout = 1');
      // Nothing of this process runs: the server's last words are still unread when the next statement goes out.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
      await session.run(INSERT, ['try-7']);
    })
    .catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
  expect(await connectionId()).not.toBe(id);
  expect(await settings()).toEqual([]);
});
