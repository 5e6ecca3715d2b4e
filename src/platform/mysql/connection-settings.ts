import { isIP } from 'node:net';
import { readDatabaseAddress } from '../text/database-address.js';
import type { TlsVariables } from '../text/tls-settings.js';
import { connectToNumber } from './connection-stream.js';

/** Timeout of one statement (rule 7). Its outcome is then unknown. */
export const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Idle connections leave the pool well before the server would drop them. */
export const POOL_IDLE_MS = 30_000;

/**
 * Run on every new connection (rule 2), to be independent of the server's defaults. The short
 * `wait_timeout` makes the server drop half-open connections, and with them their locks.
 */
export const SESSION_STATEMENTS = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION innodb_lock_wait_timeout = 3, time_zone = '+00:00', wait_timeout = 60," +
    " sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION'",
];

/** The server to connect to. */
export interface DatabaseTarget {
  url: string;
  /** TLS settings from variables, besides those in the URL. Default: none. */
  tls?: TlsVariables | undefined;
}

/**
 * Returns the driver options of every connection. Options in the URL are never passed on unchecked: some of the driver's
 * own would disable settings that this server relies on.
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
