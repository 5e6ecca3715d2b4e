import { createDatabase } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import {
  createEmptyDatabase,
  createStatement,
  databaseUrl,
  emptyTables,
  onServer,
  required,
} from './test-server.js';

/** How long the connections of the test file before may take to end. */
const LEAVE_LIMIT_MS = 2_000;
const POLL_MS = 20;

/** A migrated, empty database for one test file. */
export interface FileDatabase {
  url: string;
  /** Lets go of it when the test file has closed its connections. */
  release: () => Promise<void>;
}

/**
 * The database of this Jest worker: its first test file makes it, the end of the run removes it (global-teardown). It is made
 * anew where something of an earlier file is still connected.
 */
export async function openWorkerDatabase(): Promise<FileDatabase> {
  const name = `${required('FABULA_TEST_RUN')}_worker_${process.env['JEST_WORKER_ID'] ?? '0'}`;
  if (!(await isLeft(name))) await onServer(`DROP DATABASE ${name}`);
  await onServer(createStatement(name).replace('DATABASE', 'DATABASE IF NOT EXISTS'));
  await prepare(databaseUrl(name));
  return { url: databaseUrl(name), release: () => Promise.resolve() };
}

/** A database that no other test file uses, for tests that change its tables. */
export async function openOwnDatabase(): Promise<FileDatabase> {
  const { url, drop } = await createEmptyDatabase();
  await prepare(url);
  return { url, release: drop };
}

/** Returns whether nobody is connected to the database; waits a moment for those who are about to leave. */
async function isLeft(name: string): Promise<boolean> {
  const deadline = Date.now() + LEAVE_LIMIT_MS;
  for (;;) {
    const connected = await onServer(`SELECT id FROM information_schema.processlist WHERE db = '${name}'`);
    if (connected.length === 0) return true;
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function prepare(url: string): Promise<void> {
  const db = createDatabase({ url, poolSize: 2, logger: createSilentLogger(), statementTimeoutMs: 60_000 });
  try {
    await migrateLatest(db);
    await emptyTables(db);
  } finally {
    await db.close();
  }
}
