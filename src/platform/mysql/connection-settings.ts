import { isIP } from 'node:net';
import { readDatabaseAddress } from '../text/database-address.js';
import type { TlsVariables } from '../text/tls-settings.js';
import { connectToNumber } from './connection-stream.js';

/** How long one statement may take before the client gives up on it (rule 7). Outcome unknown, then. */
export const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Idle connections leave the pool well before the server would drop them. */
export const POOL_IDLE_MS = 30_000;

/**
 * Run on every new connection (rule 2): the server's own defaults are not relied on. The short
 * `wait_timeout` makes the server drop half-open connections, and with them their locks.
 */
export const SESSION_STATEMENTS = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION innodb_lock_wait_timeout = 3, time_zone = '+00:00', wait_timeout = 60," +
    " sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION'",
];

/** The server that connections go to. */
export interface DatabaseTarget {
  url: string;
  /** What is said of TLS beside the address. Default: nothing. */
  tls?: TlsVariables | undefined;
}

/**
 * Options of the driver that every connection has. No option of the address reaches the driver as it is: among its own are
 * some that switch off what this server relies on.
 * @throws AddressError
 */
export function driverOptions(target: DatabaseTarget) {
  const { uri, tls, socketPath } = readDatabaseAddress(target.url, target.tls);
  const host = new URL(uri).hostname.replace(/^\[|\]$/g, '');
  return {
    uri,
    ...(socketPath !== undefined && { socketPath }),
    ...(tls !== undefined && { ssl: { ...tls } }),
    ...(tls?.verifyIdentity === true && isIP(host) !== 0 && { stream: connectToNumber }),
    charset: 'utf8mb4_unicode_520_ci',
    timezone: 'Z',
    supportBigNumbers: true,
    dateStrings: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableKeepAlive: true,
  };
}
