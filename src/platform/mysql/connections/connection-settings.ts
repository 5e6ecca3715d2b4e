import { isIP } from 'node:net';
import { readDatabaseAddress } from '../../addresses/database-address.js';
import { splitHosts } from '../../addresses/split-hosts.js';
import type { TlsVariables } from '../../addresses/tls-settings.js';
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

/**
 * Lets each transaction see what any node of a cluster has committed before it began; a lone server knows that anyway. Galera:
 * the first SELECT, UPDATE or DELETE of a transaction waits until this node is as far as the others. Group replication: a new
 * primary waits until it has applied what the old one left. MariaDB executes the first part, MySQL the second.
 */
export const CAUSAL_READS =
  'SET /*M!100600 SESSION wsrep_sync_wait = 3 */' +
  " /*!80000 SESSION group_replication_consistency = 'BEFORE_ON_PRIMARY_FAILOVER' */";
/** A server without such a cluster does not know the variable, or the account may not set it. */
export const NOT_FOR_CAUSAL_READS: ReadonlySet<number> = new Set([1193, 1227]);

/** The server to connect to. */
export interface DatabaseTarget {
  /** May list several hosts; `targetsOf` splits it. */
  url: string;
  /** TLS settings from variables, besides those in the URL. Default: none. */
  tls?: TlsVariables | undefined;
}

/**
 * Returns a target for each host of the address, in their order.
 * @throws AddressError
 */
export function targetsOf({ url, tls }: DatabaseTarget): [DatabaseTarget, ...DatabaseTarget[]] {
  const [first = url, ...others] = splitHosts(url);
  return [{ url: first, tls }, ...others.map((other) => ({ url: other, tls }))];
}

/**
 * Returns the driver options of every connection to one host. Options in the URL are never passed on unchecked: some of the driver's
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
