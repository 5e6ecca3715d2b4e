import { openPool } from '../../src/platform/mysql/connections/connection-pool.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { isConnectionError, isTransient } from '../../src/platform/mysql/db-errors.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { eventually } from '../support/eventually.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { useStores } from '../support/stores.js';

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

const ownId = async (session: Session) =>
  (await session.rows<{ id: number }>('SELECT CONNECTION_ID() AS id'))[0]!.id;
const connectionId = () => database.read(ownId);
const openTransactions = (id: number) =>
  stores.db.read((session) =>
    session.rows('SELECT 1 FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = ?', [id]),
  );
const tries = (session: Session) => session.rows("SELECT name FROM settings WHERE name LIKE 'try%'");
const commitElsewhere = (name: string) => stores.db.read((other) => other.run(INSERT, [name]));
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

test.each(['transaction', 'groupTransaction'] as const)(
  'a %s sees what others have committed meanwhile, and since the one before',
  async (kind) => {
    await database[kind](tries);
    await commitElsewhere('try-11');
    const seen = await database[kind](async (session) => {
      const before = await tries(session);
      await commitElsewhere('try-12');
      return [before.length, (await tries(session)).length];
    });
    expect(seen).toEqual([1, 2]);
  },
);

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

describe('a transaction of a group commit', () => {
  it('is stored whole or not at all, and leaves nothing open', async () => {
    const id = await database.groupTransaction(async (session) => {
      await session.run(INSERT, ['try-8']);
      await session.run(INSERT, ['try-9']);
      return ownId(session);
    });
    expect(await settings()).toEqual(['try-8', 'try-9']);
    expect(await openTransactions(id)).toEqual([]);
    await expect(
      database.groupTransaction(async (session) => {
        expect(await ownId(session)).toBe(id);
        await session.run(INSERT, ['try-10']);
        await session.run(INSERT, ['try-8']);
      }),
    ).rejects.toThrow('Duplicate');
    expect(await settings()).toEqual(['try-8', 'try-9']);
    expect(await openTransactions(id)).toEqual([]);
  });

  it('waits for nobody but its like: not for whoever holds all other connections', async () => {
    await database.transaction(async () => {
      await database.groupTransaction((session) => session.run(INSERT, ['try-13']));
      expect(await settings()).toEqual(['try-13']);
    });
  });

  it('is refused on a connection that would not hold it together', async () => {
    const proxy = await startTcpProxy(stores.databaseUrl);
    const distant = createDatabase({ url: proxy.url, poolSize: 1, logger: createSilentLogger() });
    stores.onClose(() => distant.close());
    stores.onClose(() => proxy.close());
    const insert = () => distant.groupTransaction((session) => session.run(INSERT, ['try-14']));
    proxy.spoil({ text: 'autocommit', instead: 'autoconfit' });
    const error: unknown = await insert().catch((reason: unknown) => reason);
    expect(isConnectionError(error)).toBe(true);
    expect(await settings()).toEqual([]);
    proxy.spoil(undefined);
    await insert();
    expect(await settings()).toEqual(['try-14']);
  });

  it('needs no new connection after a quiet time', async () => {
    const url = stores.databaseUrl;
    const pools = [200, undefined].map((stirMs) =>
      openPool({ url, size: 2, stirMs, reach: undefined, autocommit: false, logger: stores.logger }),
    );
    const ids = await Promise.all(pools.map((pool) => pool.withSession((s) => s.transact(() => ownId(s)))));
    const idleSeconds = async () => {
      const rows = await stores.db.read((session) =>
        session.rows<{ id: number; seconds: number }>(
          'SELECT ID AS id, TIME AS seconds FROM information_schema.PROCESSLIST WHERE ID IN (?)',
          [ids],
        ),
      );
      return ids.map((id) => rows.find((row) => row.id === id)!.seconds);
    };
    await eventually(async () => (await idleSeconds())[1]! >= 3);
    const [stirred, idle] = await idleSeconds();
    expect(stirred).toBeLessThan(idle!);
    await Promise.all(pools.map((pool) => pool.close()));
  });
});
