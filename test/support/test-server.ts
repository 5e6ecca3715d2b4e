import { randomBytes } from 'node:crypto';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { retryLockConflicts } from '../../src/platform/mysql/commit/retry-conflicts.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { createSilentLogger } from '../../src/platform/logger.js';

/** Tables that say which migrations have run; they outlive a test. */
const MIGRATION_TABLES = new Set(['migrations', 'migrations_lock']);

/** The value of an environment variable that `npm test` sets. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run the suite with "npm test"`);
  return value;
}

/** The server that test databases are made on, without a database in its path. */
function testServerUrl(): URL {
  const url = new URL(required('TEST_DATABASE_URL'));
  url.pathname = '/';
  return url;
}

/** Makes an empty database (no migrations) for the time of a test file; `drop` removes it. */
export async function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `fabula_test_${process.env['JEST_WORKER_ID'] ?? '0'}_${randomBytes(6).toString('hex')}`;
  await onServer(createStatement(name));
  return { url: databaseUrl(name), drop: async () => void (await onServer(`DROP DATABASE ${name}`)) };
}

/** The statement that makes a database as Fabula wants one. */
export function createStatement(name: string): string {
  return `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`;
}

/** The address of a database on the server for tests. */
export function databaseUrl(name: string): string {
  const url = testServerUrl();
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on the server, in no database; returns the rows of the last one. */
export async function onServer<Row>(...statements: string[]): Promise<Row[]> {
  const server = createDatabase({ url: testServerUrl().href, poolSize: 1, logger: createSilentLogger() });
  try {
    return await server.read(async (session) => {
      let rows: Row[] = [];
      for (const statement of statements) rows = await session.rows<Row>(statement);
      return rows;
    });
  } finally {
    await server.close();
  }
}

/** Deletes the rows of every table that has any: much faster than truncating all of them. */
export async function emptyTables(db: Database): Promise<void> {
  const filled = await db.read(async (session) => {
    const tables = await session.rows<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const names = tables.map(({ name }) => name).filter((name) => !MIGRATION_TABLES.has(name));
    const questions = names.map((name) => `(SELECT '${name}' AS name FROM ${name} LIMIT 1)`);
    return session.rows<{ name: string }>(questions.join(' UNION ALL '));
  });
  for (const { name } of filled) await writeOutside(db, `DELETE FROM ${name}`);
}

/** One statement beside the system under test: InnoDB may choose it as the victim of a deadlock. */
export function writeOutside(db: Pick<Database, 'read'>, statement: string, values?: SqlValue[]) {
  return retryLockConflicts(() => db.read((session) => session.run(statement, values)));
}
