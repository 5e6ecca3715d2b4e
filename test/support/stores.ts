import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import type { Session } from '../../src/platform/mysql/session.js';
import { createSilentLogger, type Logger } from '../../src/platform/logger.js';
import { emptyTables, required, writeOutside } from './test-server.js';
import { openOwnDatabase, openWorkerDatabase } from './worker-database.js';

export { createEmptyDatabase, writeOutside } from './test-server.js';

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

export interface StoresOptions {
  /** For tests that change tables, or that depend on how full they have been: a database that no other file uses. */
  ownDatabase?: boolean;
  /** Default: one that writes nothing. */
  logger?: Logger;
}

/**
 * Gives the test file a migrated database, emptied after each test, and a Redis connection with a random prefix. Call it at
 * the top of the file (or of a `describe`). Ids go on where the file before has stopped.
 */
export function useStores(options: StoresOptions = {}): TestStores {
  let stores: OpenStores | undefined;
  const closers: (() => unknown)[] = [];
  const open = () => {
    if (stores === undefined) throw new Error('The test stores are open inside hooks and tests only');
    return stores;
  };

  beforeAll(async () => {
    stores = await openStores(options);
  });
  afterEach(async () => {
    if (stores !== undefined) await emptyTables(stores.db);
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
    await stores?.close();
  });

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

async function openStores(options: StoresOptions): Promise<OpenStores> {
  const { ownDatabase = false, logger = createSilentLogger() } = options;
  const { url, release } = await (ownDatabase ? openOwnDatabase() : openWorkerDatabase());
  const db = createDatabase({ url, poolSize: 8, logger, statementTimeoutMs: 60_000 });
  const queuePrefix = `test-${randomBytes(6).toString('hex')}`;
  const redisUrl = required('TEST_REDIS_URL');
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const close = async () => {
    await deleteKeys(redis, queuePrefix);
    redis.disconnect();
    await db.close();
    await release();
  };
  return { db, redis, logger, databaseUrl: url, redisUrl, queuePrefix, close };
}

async function deleteKeys(redis: Redis, prefix: string): Promise<void> {
  for await (const keys of redis.scanStream({ match: `*${prefix}*`, count: 1000 })) {
    if (keys.length > 0) await redis.unlink(...keys);
  }
}
