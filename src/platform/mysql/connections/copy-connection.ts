import { type Connection, createConnection, type QueryOptions } from 'mysql2';
import { type DatabaseTarget, driverOptions } from './connection-settings.js';
import { chooseHost } from '../hosts/choose-host.js';
import { streamOf } from './connection-stream.js';

/** A server that sends or takes nothing for this long has hung. */
const SILENCE_LIMIT_MS = 10 * 60_000;
/** UTC and exact values; ids of 0 stay 0. The server waits while a disk or the other server is slow. */
const SESSION =
  "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO'," +
  ' net_read_timeout = 3600, net_write_timeout = 3600, wait_timeout = 28800';
const SNAPSHOT = [
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];
/** The tables come in any order, and their rows are known to be valid. */
const LOADING = 'SET SESSION autocommit = 0, unique_checks = 0, foreign_key_checks = 0';

/** Returns what `work` makes of one state of the whole database: it sees nothing that others commit meanwhile. */
export function withSnapshot<T>(
  target: DatabaseTarget,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return withConnection(target, [SESSION, ...SNAPSHOT], work);
}

/** Runs `work` on a connection that loads many rows; `work` must commit them. */
export function withLoader<T>(
  target: DatabaseTarget,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return withConnection(target, [SESSION, LOADING], work);
}

/** Runs one statement; returns its rows. @throws the driver's error. */
export function queryRows<Row>(connection: Connection, sql: string | QueryOptions): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const options = typeof sql === 'string' ? { sql } : sql;
    connection.query(options, (error, rows) => (error === null ? resolve(rows as Row[]) : reject(error)));
  });
}

/** The connection is destroyed at the end, and with it all that was not committed. */
async function withConnection<T>(
  target: DatabaseTarget,
  settings: string[],
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = createConnection(driverOptions(await chooseHost(target)));
  // Each statement that fails reports the same error.
  connection.on('error', () => undefined);
  try {
    for (const statement of settings) await queryRows(connection, statement);
    const stream = streamOf(connection);
    stream.setTimeout(SILENCE_LIMIT_MS, () => stream.destroy(new Error('The database does not respond')));
    return await work(connection);
  } finally {
    connection.destroy();
  }
}
