import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { migrateDown, migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';
import { createEmptyDatabase, useStores } from '../support/stores.js';

const stores = useStores();
let db: Database;
let url: string;
let running: FabulaProcess[] = [];
let drop: () => Promise<void>;

beforeEach(async () => {
  ({ url, drop } = await createEmptyDatabase());
  db = createDatabase({ url, poolSize: 4, logger: createSilentLogger(), statementTimeoutMs: 60_000 });
  await migrateLatest(db);
});
afterEach(async () => {
  await Promise.all(running.map((child) => child.stop('SIGKILL')));
  running = [];
  await db.close();
  await drop();
});

function start(file: string, overrides: NodeJS.ProcessEnv = {}): FabulaProcess {
  const child = startProcess(
    file,
    fabulaEnvironment(stores, { DATABASE_URL: url, LOG_LEVEL: 'info', ...overrides }),
  );
  running.push(child);
  return child;
}

async function readiness(port: number): Promise<{ status: number; failing: string[] }> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  const body = (await response.json()) as { errors?: { details: string }[] };
  return { status: response.status, failing: (body.errors ?? []).map(({ details }) => details) };
}

test('processes that start before their migrations say so and wait: nothing is worked on, nothing is ready', async () => {
  await migrateDown(db, 2);
  const port = await findFreePort();
  const web = start('web', { PORT: String(port) });
  const worker = start('workers/all');
  await web.said('web is listening');
  await worker.said('waiting for the schema');
  expect(worker.output()).toContain('2 migrations have not been run');
  // The webhooks cannot be cached without the columns of these migrations.
  await eventually(async () => (await readiness(port)).failing.includes('schema'));
  expect((await readiness(port)).status).toBe(503);
  expect(worker.output()).not.toContain('worker is running');
  await migrateLatest(db);
  await worker.said('worker is running');
  await eventually(async () => (await readiness(port)).status === 200);
  expect(worker.output()).not.toContain('MaxListenersExceededWarning');
});

test('processes of an older version go on beside a newer schema, and say so', async () => {
  await db
    .knex('migrations')
    .insert({ name: '29990101000000_from_the_future', batch: 99, migration_time: new Date() });
  const port = await findFreePort();
  const web = start('web', { PORT: String(port) });
  const worker = start('workers/all');
  await worker.said('worker is running');
  for (const child of [web, worker]) {
    await child.said('the database was migrated by a newer version than this process');
    expect(child.output()).toContain('29990101000000_from_the_future');
  }
  expect((await readiness(port)).status).toBe(200);
});
