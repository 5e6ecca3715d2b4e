import { MIGRATIONS } from '../../migrations/index.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { LeaseLost } from '../../src/platform/mysql/lease/under-lease.js';
import {
  type MigratedDatabase,
  migrateDown,
  migrateLatest,
  pendingMigrations,
} from '../../src/platform/mysql/schema/migrate.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createEmptyDatabase } from '../support/stores.js';

const IDS = Object.keys(MIGRATIONS);
/** Tables that are there before the first migration. */
const MADE_BEFORE = ['migrations', 'migrations_lock', 'leases'];

/** The session of a process that stands still once it has the lease: another one takes that before the next statement. */
function robbedAfterTaking(session: Session): Session {
  return {
    ...session,
    async transact(work) {
      const result = await session.transact(work);
      await session.run("UPDATE leases SET holder = 'another', generation = generation + 1");
      return result;
    },
  };
}

/** Every table as the server would make it again, but for the counters of ids. */
async function schema(db: Database): Promise<Record<string, string>> {
  return db.read(async (session) => {
    const tables = await session.rows<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1',
    );
    const statements: Record<string, string> = {};
    for (const { name } of tables.filter((table) => !MADE_BEFORE.includes(table.name))) {
      const [row] = await session.rows<{ 'Create Table': string }>(`SHOW CREATE TABLE ${name}`);
      statements[name] = row!['Create Table'].replace(/ AUTO_INCREMENT=\d+/, '');
    }
    return statements;
  });
}

describe('migrations', () => {
  let url: string;
  let drop: () => Promise<void>;
  const open: Database[] = [];

  beforeEach(async () => {
    ({ url, drop } = await createEmptyDatabase());
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((db) => db.close()));
    await drop();
  });

  function connect(): Database {
    const db = createDatabase({ url, poolSize: 4, logger: createSilentLogger(), statementTimeoutMs: 60_000 });
    open.push(db);
    return db;
  }
  const statement = (sql: string) => connect().read((session) => session.run(sql));

  it('are listed in the order of their time stamps, one name each', () => {
    expect(IDS).toEqual(IDS.toSorted());
    for (const id of IDS) expect(id).toMatch(/^\d{14}_[a-z0-9_]+$/);
  });

  it('run once, and say what they ran', async () => {
    const db = connect();
    expect(await pendingMigrations(db.knex)).toEqual(IDS);
    expect(await migrateLatest(db)).toEqual(IDS);
    expect(await pendingMigrations(db.knex)).toEqual([]);
    expect(await migrateLatest(db)).toEqual([]);
  });

  it('leave the connections of the pool as they were', async () => {
    const db = connect();
    await migrateLatest(db);
    const idleSeconds = (open: number): Promise<number[]> =>
      db.read(async (session) => {
        const [row] = await session.rows<{ seconds: number }>('SELECT @@wait_timeout AS seconds');
        return [row!.seconds, ...(open > 1 ? await idleSeconds(open - 1) : [])];
      });
    expect(await idleSeconds(4)).toEqual([60, 60, 60, 60]);
  });

  it('take turns when two releases start at once', async () => {
    const results = await Promise.all([migrateLatest(connect()), migrateLatest(connect())]);
    expect(results.map((ran) => ran.length).toSorted((a, b) => a - b)).toEqual([0, IDS.length]);
  });

  it('run no step, and note none, once another process has taken over', async () => {
    const db = connect();
    const robbed: MigratedDatabase = {
      knex: db.knex,
      read: (work) => db.read((session) => work(robbedAfterTaking(session))),
    };
    await expect(migrateLatest(robbed)).rejects.toThrow(LeaseLost);
    expect(await db.read((session) => session.rows('SELECT holder FROM leases'))).toEqual([
      { holder: 'another' },
    ]);
    expect(await pendingMigrations(db.knex)).toEqual(IDS);
  });

  it('leave the baseline alone on the way down, and the same schema on the way up again', async () => {
    const db = connect();
    await migrateLatest(db);
    const before = await schema(db);
    expect(await migrateDown(db, IDS.length)).toEqual(IDS.slice(1).toReversed());
    expect(await migrateDown(db, 1)).toEqual([]);
    expect(await pendingMigrations(db.knex)).toEqual(IDS.slice(1));
    await migrateLatest(db);
    expect(await schema(db)).toEqual(before);
  });

  it('go on where a release was killed in the middle', async () => {
    const db = connect();
    await migrateLatest(db);
    const before = await schema(db);
    // Killed after the statement and before it was noted; the lock of the library stays taken.
    await db
      .knex('migrations')
      .where({ name: IDS.at(-1) })
      .delete();
    await db.knex('migrations_lock').update({ is_locked: 1 });
    expect(await migrateLatest(db)).toEqual([IDS.at(-1)]);
    expect(await schema(db)).toEqual(before);
  });

  it('run on a database with the longest name there can be', async () => {
    const prefix = new URL(url).pathname.slice(1);
    const name = prefix.padEnd(64, 'x');
    await statement(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    const db = createDatabase({ url: url.replace(prefix, name), poolSize: 2, logger: createSilentLogger() });
    open.push(db);
    try {
      expect(await migrateDown(db, 0)).toEqual([]);
    } finally {
      await statement(`DROP DATABASE ${name}`);
    }
  });

  it('make guids, digests and paths compare byte by byte, and everything else in full Unicode', async () => {
    const db = connect();
    await migrateLatest(db);
    const columns = await db.read((session) =>
      session.rows<{ place: string; collation: string }>(
        `SELECT CONCAT(table_name, '.', column_name) AS place, collation_name AS collation
         FROM information_schema.columns WHERE table_schema = DATABASE() AND collation_name IS NOT NULL`,
      ),
    );
    const collations = new Map(columns.map(({ place, collation }) => [place, collation]));
    for (const place of [
      'stories.guid',
      'agents.guid',
      'agents.webhook_path',
      'api_keys.digest',
      'events.story_run_guid',
    ]) {
      expect([place, collations.get(place)]).toEqual([place, 'ascii_bin']);
    }
    expect(collations.get('events.payload')).toBe('utf8mb4_bin');
    expect(collations.get('stories.name')).toMatch(/^utf8mb4_/);
  });
});
