import { once } from 'node:events';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { KeeperHolder } from './global-setup.js';

/** Lets the keeper of the stores know that the run is over, and waits until it has cleaned up; without one, cleans up. */
export default async function tearDown(): Promise<void> {
  const keeper = (globalThis as KeeperHolder).fabulaStoreKeeper;
  if (keeper === undefined) return dropWorkerDatabases();
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  const gone = once(keeper, 'exit');
  if (keeper.connected) keeper.disconnect();
  await gone;
}

/** Their names begin with the run's (worker-database). Modules of our own cannot be loaded here: Jest does not resolve them. */
async function dropWorkerDatabases(): Promise<void> {
  const connection = await createConnection({ uri: process.env['TEST_DATABASE_URL'] ?? '' });
  try {
    const [databases] = await connection.query<RowDataPacket[]>(
      'SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE ?',
      [`${process.env['FABULA_TEST_RUN']}_worker_%`],
    );
    for (const { name } of databases) await connection.query(`DROP DATABASE ${name}`);
  } finally {
    await connection.end();
  }
}
