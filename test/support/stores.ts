import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { createDatabase, type Database } from '../../src/db/database.js';
import { migrateLatest } from '../../src/db/migrate.js';
import { retryLockConflicts } from '../../src/db/retry-conflicts.js';
import type { Session, SqlValue } from '../../src/db/session.js';
import { createSilentLogger, type Logger } from '../../src/logger.js';

/** Tables that say which migrations have run; they outlive a test. */
const MIGRATION_TABLES = new Set(['migrations', 'migrations_lock']);

/** Real stores of one test file: its own database and its own corner of Redis. Use inside hooks and tests only. */
export interface TestStores {
  readonly db: Database;
  readonly redis: Redis;
  readonly logger: Logger;
  /** Address of the test file's own, migrated database. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Prefix for BullMQ and for keys of one's own; what bears it is deleted at the end. */
  readonly queuePrefix: string;
  /**
   * Writes from outside what no part of the product would write: one statement, run again when a lock of the
   * system under test is in its way.
   */
  sql: Session['run'];
  /** Closes what a test file started, before the stores close; the newest first. */
  onClose(close: () => unknown): void;
}

interface OpenStores extends Omit<TestStores, 'onClose' | 'sql'> {
  close(): Promise<void>;
}

/**
 * Gives the test file a migrated database, emptied after each test and dropped at the end, and a Redis
 * connection with a random prefix. Call it at the top of the file (or of a `describe`).
 */
export function useStores(): TestStores {
  let stores: OpenStores | undefined;
  const closers: (() => unknown)[] = [];
  const open = () => {
    if (stores === undefined) throw new Error('The test stores are open inside hooks and tests only');
    return stores;
  };

  beforeAll(async () => {
    stores = await openStores();
  }, 60_000);
  afterEach(async () => {
    if (stores !== undefined) await emptyTables(stores.db);
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
    await stores?.close();
  }, 60_000);

  return {
    get db() {
      return open().db;
    },
    get redis() {
      return open().redis;
    },
    get logger() {
      return open().logger;
    },
    get databaseUrl() {
      return open().databaseUrl;
    },
    get redisUrl() {
      return open().redisUrl;
    },
    get queuePrefix() {
      return open().queuePrefix;
    },
    sql: (statement, values) => writeOutside(open().db, statement, values),
    onClose: (close) => void closers.push(close),
  };
}

/** The server that test databases are made on, without a database in its path. */
export function testServerUrl(): URL {
  const url = new URL(required('TEST_DATABASE_URL'));
  url.pathname = '/';
  return url;
}

/** Makes an empty database (no migrations) for the time of a test file; `drop` removes it. */
export async function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `fabula_test_${process.env['JEST_WORKER_ID'] ?? '0'}_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
  const url = testServerUrl();
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE ${name}`) };
}

async function openStores(): Promise<OpenStores> {
  const { url, drop } = await createEmptyDatabase();
  const logger = createSilentLogger();
  const db = createDatabase({ url, poolSize: 8, logger, statementTimeoutMs: 60_000 });
  await migrateLatest(db.knex);
  const queuePrefix = `test-${randomBytes(6).toString('hex')}`;
  const redisUrl = required('TEST_REDIS_URL');
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const close = async () => {
    await deleteKeys(redis, queuePrefix);
    redis.disconnect();
    await db.close();
    await drop();
  };
  return { db, redis, logger, databaseUrl: url, redisUrl, queuePrefix, close };
}

async function onServer(statement: string): Promise<void> {
  const server = createDatabase({ url: testServerUrl().href, poolSize: 1, logger: createSilentLogger() });
  try {
    await server.read((session) => session.run(statement));
  } finally {
    await server.close();
  }
}

/** Deletes the rows of every table that has any: much faster than truncating all of them. */
async function emptyTables(db: Database): Promise<void> {
  const filled = await db.read(async (session) => {
    const tables = await session.rows<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const names = tables.map(({ name }) => name).filter((name) => !MIGRATION_TABLES.has(name));
    const questions = names.map(
      (name) => `SELECT '${name}' AS name, EXISTS (SELECT 1 FROM ${name}) AS filled`,
    );
    const answers = await session.rows<{ name: string; filled: number }>(questions.join(' UNION ALL '));
    return answers.filter((answer) => answer.filled === 1);
  });
  for (const { name } of filled) await writeOutside(db, `DELETE FROM ${name}`);
}

/** One statement beside the system under test: InnoDB may choose it as the victim of a deadlock. */
export function writeOutside(db: Pick<Database, 'read'>, statement: string, values?: SqlValue[]) {
  return retryLockConflicts(() => db.read((session) => session.run(statement, values)));
}

async function deleteKeys(redis: Redis, prefix: string): Promise<void> {
  for await (const keys of redis.scanStream({ match: `*${prefix}*`, count: 1000 })) {
    if (keys.length > 0) await redis.unlink(...keys);
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run the suite with "npm test"`);
  return value;
}
