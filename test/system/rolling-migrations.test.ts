import { MIGRATIONS } from '../../migrations/index.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { migrateDown, migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { createEmptyDatabase } from '../support/stores.js';

const IDS = Object.keys(MIGRATIONS);

/**
 * Migrations that take away what the version before them may use, with why that is safe. A new one stands here only when
 * the release before it does without what goes (docs/operate/rolling-release.md).
 */
const CONTRACTIONS: Record<string, { why: string; takes: string[] }> = {};

let url: string;
let drop: () => Promise<void>;
let db: Database;

beforeEach(async () => {
  ({ url, drop } = await createEmptyDatabase());
  db = createDatabase({ url, poolSize: 4, logger: createSilentLogger(), statementTimeoutMs: 60_000 });
});
afterEach(async () => {
  await db.close();
  await drop();
});

interface Column {
  type: string;
  nullable: boolean;
  hasDefault: boolean;
}

interface Schema {
  /** By `table.column`. */
  columns: Map<string, Column>;
  /** By `table.index`: its columns, and whether it is unique. */
  indexes: Map<string, { unique: boolean }>;
}

async function readSchema(): Promise<Schema> {
  const [columns, indexes] = await db.read(async (session) => [
    await session.rows<{
      name: string;
      type: string;
      nullable: string;
      preset: string | null;
      extra: string;
    }>(
      `SELECT CONCAT(table_name, '.', column_name) AS name, column_type AS type, is_nullable AS nullable,
              column_default AS preset, extra AS extra
       FROM information_schema.columns WHERE table_schema = DATABASE()`,
    ),
    await session.rows<{ name: string; nonUnique: number }>(
      `SELECT DISTINCT CONCAT(table_name, '.', index_name) AS name, non_unique AS nonUnique
       FROM information_schema.statistics WHERE table_schema = DATABASE()`,
    ),
  ]);
  return {
    columns: new Map(
      columns.map(({ name, type, nullable, preset, extra }) => [
        name,
        { type, nullable: nullable === 'YES', hasDefault: preset !== null || /auto_increment/i.test(extra) },
      ]),
    ),
    indexes: new Map(indexes.map(({ name, nonUnique }) => [name, { unique: nonUnique === 0 }])),
  };
}

const tableOf = (name: string) => name.split('.')[0];

/** Changes that the version before cannot live with. */
function taken(before: Schema, after: Schema): string[] {
  const isOld = (name: string) =>
    [...before.columns.keys()].some((known) => tableOf(known) === tableOf(name));
  const faults: string[] = [];
  for (const [name, column] of before.columns) {
    const now = after.columns.get(name);
    if (now === undefined) faults.push(`column ${name} is gone`);
    else if (now.type !== column.type) faults.push(`column ${name} is ${now.type}, was ${column.type}`);
    else if (now.nullable && !column.nullable) faults.push(`${name} may be null`);
    else if (!now.nullable && column.nullable) faults.push(`${name} must not be null`);
  }
  for (const [name, column] of after.columns) {
    if (before.columns.has(name) || !isOld(name)) continue;
    if (!column.nullable && !column.hasDefault) faults.push(`column ${name} must be given`);
  }
  for (const name of before.indexes.keys()) {
    if (!after.indexes.has(name)) faults.push(`index ${name} is gone`);
  }
  for (const [name, { unique }] of after.indexes) {
    if (unique && isOld(name) && before.indexes.get(name)?.unique !== true)
      faults.push(`index ${name} is unique`);
  }
  return faults.toSorted();
}

test('each migration only adds what the version before it does without, but for those that are named', async () => {
  let before = await readSchema();
  const found: Record<string, string[]> = {};
  for (const id of IDS) {
    await MIGRATIONS[id]!.up(db.knex);
    const after = await readSchema();
    const faults = taken(before, after);
    if (faults.length > 0) found[id] = faults;
    before = after;
  }
  expect(found).toEqual(
    Object.fromEntries(Object.entries(CONTRACTIONS).map(([id, { takes }]) => [id, takes])),
  );
});

test('a migration that takes something away would be found', async () => {
  await migrateLatest(db);
  const before = await readSchema();
  await db.knex.raw(`ALTER TABLE prompts DROP COLUMN used_by, DROP KEY prompts_run, MODIFY depth BIGINT UNSIGNED NULL,
    MODIFY used_at DATETIME(3) NOT NULL, ADD COLUMN reason VARCHAR(16) NOT NULL, ADD UNIQUE KEY prompts_agent (agent_id)`);
  expect(taken(before, await readSchema())).toEqual([
    expect.stringMatching(/^column prompts\.depth is bigint.* unsigned, was int.* unsigned$/),
    'column prompts.reason must be given',
    'column prompts.used_by is gone',
    'index prompts.prompts_agent is unique',
    'index prompts.prompts_run is gone',
    'prompts.used_at must not be null',
  ]);
});

test('each migration can be run again when it was killed before it was noted', async () => {
  await migrateLatest(db);
  const before = await readSchema();
  await db.knex('migrations').delete();
  expect(await migrateLatest(db)).toEqual(IDS);
  expect(await readSchema()).toEqual(before);
});

describe('a database that a newer version has migrated', () => {
  beforeEach(async () => {
    await migrateLatest(db);
    await db
      .knex('migrations')
      .insert({ name: '29990101000000_from_the_future', batch: 99, migration_time: new Date() });
  });

  test('has nothing to be done to it, also not by the release of an older version', async () => {
    expect(await migrateLatest(db)).toEqual([]);
    expect((await runCli(['migrate'], { env: { DATABASE_URL: url } })).code).toBe(0);
  });

  test('is not taken back by a version that does not know what was built on it', async () => {
    const before = await readSchema();
    await expect(migrateDown(db, 1)).rejects.toThrow('29990101000000_from_the_future');
    expect(await readSchema()).toEqual(before);
  });
});

/** Whether a statement stands in line for a table. */
const waitsForTable = () =>
  db.read(async (session) => {
    const waiting = await session.rows(
      "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting for table%'",
    );
    return waiting.length > 0;
  });

test('a table that is in use is waited for with others let through, and then changed', async () => {
  await migrateLatest(db);
  const step = '20261129100100_add_skip_told_to_schedules';
  await MIGRATIONS[step]!.down!(db.knex);
  await db.knex('migrations').where({ name: step }).delete();
  const release = createDatabase({ url, poolSize: 2, logger: createSilentLogger(), lockWaitSeconds: 1 });
  const reader = await db.knex.transaction();
  try {
    await reader('schedules').select('id');
    const migrated = migrateLatest(release);
    let isOver = false;
    void migrated.finally(() => (isOver = true));
    await eventually(waitsForTable);
    // A second of standing in line behind the change, then a pause in which this gets through.
    await db.knex('schedules').select('id');
    expect(isOver).toBe(false);
    await reader.commit();
    expect(await migrated).toEqual([step]);
  } finally {
    if (!reader.isCompleted()) await reader.rollback();
    await release.close();
  }
});
