import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import { BASELINE, FORMER } from '../../migrations/former.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { queryRows, withLoader, withSnapshot } from '../../src/platform/mysql/connections/copy-connection.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import {
  findFormerTime,
  migrateDown,
  migrateLatest,
  pendingMigrations,
  requireSchema,
  unknownMigrations,
} from '../../src/platform/mysql/schema/migrate.js';
import { readInserts, readShapes, type TableShape } from '../../src/platform/mysql/schema/table-copy.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { runCli } from '../support/run-cli.js';
import { createEmptyDatabase } from '../support/stores.js';

const LEFT_BY_0_12 = path.join(__dirname, '../fixtures/database-0.12.0.sql');
const LATER = Object.keys(MIGRATIONS).filter((id) => id !== BASELINE);
/** Tables that `migrate` itself writes. */
const OF_MIGRATE = new Set(['leases', 'migrations', 'migrations_lock']);
const MINUTES = '20261126080000_create_story_minutes';

interface Opened {
  url: string;
  db: Database;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function empty(): Promise<Opened> {
  const { url, drop } = await createEmptyDatabase();
  const db = createDatabase({ url, poolSize: 4, logger: createSilentLogger(), statementTimeoutMs: 60_000 });
  closing.push(drop, () => db.close());
  return { url, db };
}

async function left(): Promise<Opened> {
  const opened = await empty();
  await withLoader({ url: opened.url, tls: undefined }, async (connection) => {
    for (const line of readFileSync(LEFT_BY_0_12, 'utf8').split('\n')) {
      if (line !== '' && !line.startsWith('--')) await queryRows(connection, line);
    }
    await queryRows(connection, 'COMMIT');
  });
  return opened;
}

const shapesOf = ({ url }: Opened) => withSnapshot({ url, tls: undefined }, readShapes);

const KEYS = /(?:, (?:UNIQUE )?KEY `\w+` \((?:[^()]|\(\d+\))*\))+/;

/** Each table as the server would make it again, but for the counters of ids and the order of its keys. */
async function schemaOf(opened: Opened): Promise<Record<string, string>> {
  const shapes = await shapesOf(opened);
  return Object.fromEntries(
    shapes.map(({ name, create }) => [
      name,
      create.replace(/ AUTO_INCREMENT=\d+/, '').replace(KEYS, (keys) =>
        keys
          .split(/(?=, (?:UNIQUE )?KEY )/)
          .toSorted()
          .join(''),
      ),
    ]),
  );
}

/** Every row of the tables, in the columns that `shapes` have. */
async function rowsOf({ url }: Opened, shapes: TableShape[]): Promise<Record<string, string[]>> {
  return withSnapshot({ url, tls: undefined }, async (connection) => {
    const found: Record<string, string[]> = {};
    for (const shape of shapes.filter(({ name }) => !OF_MIGRATE.has(name))) {
      const rows: string[] = [];
      for await (const { sql } of readInserts(connection, shape)) rows.push(sql);
      found[shape.name] = rows;
    }
    return found;
  });
}

const minutesSince = ({ db }: Opened) => db.read((session) => findFormerTime(session, MINUTES));

describe('a database that 0.12.0 left', () => {
  test('gets the later migrations alone, keeps every row, and has the schema of a new one', async () => {
    const [old, fresh] = [await left(), await empty()];
    const shapes = await shapesOf(old);
    const before = await rowsOf(old, shapes);
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    expect(await migrateLatest(old.db)).toEqual(LATER);
    expect(await migrateLatest(fresh.db)).toEqual([BASELINE, ...LATER]);
    expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
    expect(await rowsOf(old, shapes)).toEqual(before);
    const noted = await old.db.knex('migrations').orderBy('id').pluck<string[]>('name');
    expect(noted).toEqual([...FORMER, BASELINE, ...LATER]);
  });

  test('is waited for until it is migrated; then nothing is pending, and nothing is of a newer version', async () => {
    const { db } = await left();
    await expect(requireSchema(db.knex)).rejects.toThrow('migrations have not been run');
    expect(await unknownMigrations(db.knex)).toEqual([]);
    await migrateLatest(db);
    await requireSchema(db.knex);
    expect(await pendingMigrations(db.knex)).toEqual([]);
    expect(await unknownMigrations(db.knex)).toEqual([]);
    expect(await migrateLatest(db)).toEqual([]);
  });

  test('is as 0.12.0 left it after all that can be reverted is', async () => {
    const old = await left();
    const [shapes, schema] = [await shapesOf(old), await schemaOf(old)];
    const rows = await rowsOf(old, shapes);
    await migrateLatest(old.db);
    expect(await migrateDown(old.db, 1_000)).toEqual(LATER.toReversed());
    expect(await migrateDown(old.db, 1)).toEqual([]);
    expect(await schemaOf(old)).toEqual(schema);
    expect(await rowsOf(old, shapes)).toEqual(rows);
  });

  test('still tells when a part of the baseline came', async () => {
    const [old, fresh] = [await left(), await empty()];
    const noted = await minutesSince(old);
    for (const { db } of [old, fresh]) await migrateLatest(db);
    expect(await minutesSince(old)).toEqual(noted);
    expect((await minutesSince(fresh))?.getTime()).toBeGreaterThan(noted?.getTime() ?? Infinity);
  });
});

test('a database of a release before 0.12.0 is refused with what to do, and stays as it is', async () => {
  const old = await left();
  const shapes = await shapesOf(old);
  const said = 'This database was created by a release before 0.12.0: run "migrate" of Fabula 0.12.0 first';
  for (const missing of [FORMER.slice(-1), FORMER.slice(0, 1), FORMER.slice(50)]) {
    await old.db
      .knex('migrations')
      .whereIn('name', [...missing])
      .delete();
    const [schema, rows] = [await schemaOf(old), await rowsOf(old, shapes)];
    await expect(migrateLatest(old.db)).rejects.toThrow(said);
    const { code, err } = await runCli(['migrate'], { env: { DATABASE_URL: old.url } });
    expect([code, err.startsWith(`error: ${said}`)]).toEqual([1, true]);
    expect([await schemaOf(old), await rowsOf(old, shapes)]).toEqual([schema, rows]);
    expect(await old.db.knex('migrations').where({ name: BASELINE })).toEqual([]);
  }
});

/** Makes tables as the baseline does until `count` are there, as a process that is killed. */
function dying(knex: Knex, count: number): Knex {
  let left = count;
  const raw = async (sql: string) => {
    if (left-- === 0) throw new Error('killed');
    return knex.raw(sql);
  };
  return Object.create(knex, { raw: { value: raw } }) as Knex;
}

test.each([1, 40])(
  'a new database goes on after a death that left %i tables of the baseline',
  async (count) => {
    const [fresh, whole] = [await empty(), await empty()];
    await expect(MIGRATIONS[BASELINE]!.up(dying(fresh.db.knex, count))).rejects.toThrow('killed');
    expect(Object.keys(await schemaOf(fresh))).toHaveLength(count);
    expect(await migrateLatest(fresh.db)).toEqual([BASELINE, ...LATER]);
    await migrateLatest(whole.db);
    expect(await schemaOf(fresh)).toEqual(await schemaOf(whole));
  },
);
