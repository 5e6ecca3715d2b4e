import { createPool, type Pool, type PoolConnection } from 'mysql2';
import { messageOf } from '../errors.js';
import { type DatabaseTarget, driverOptions, POOL_IDLE_MS } from './connection-settings.js';
import { prepareConnection, type ConnectionOptions } from './prepare-connection.js';
import type { Availability } from './availability.js';
import type { DatabaseHosts } from './hosts/database-hosts.js';
import { followHost } from './hosts/follow-host.js';
import type { IdStock } from './ids/id-stock.js';
import { createSession, type Session } from './session.js';

/** Most requests that wait for a connection of one pool. */
const MOST_WAITING = 10_000;

export interface PoolOptions extends ConnectionOptions, DatabaseTarget {
  /** Most connections. */
  size: number;
  /**
   * Interval, in ms, at which an idle connection is used, after the first use of the pool: so one stays open, and no request
   * after a quiet period waits for a new one. Default: all idle connections close.
   */
  stirMs?: number | undefined;
  /** Set if a server that hangs must be detected (decision 0014). */
  reach: Availability | undefined;
  /** Set if the address lists several hosts; `url` is then that of the first. */
  hosts?: DatabaseHosts | undefined;
}

/** A pool of connections with the same settings; each is opened when first needed. */
export interface ConnectionPool {
  /** The driver's pool, for knex. */
  driver: Pool;
  /** Runs `work` on a connection of its own, when one is free. */
  withSession<T>(work: (session: Session) => Promise<T>, ids?: IdStock): Promise<T>;
  /** Returns how much of the pool is in use now. */
  use(): PoolUse;
  close(): Promise<void>;
}

/** Connections of a pool, and the callers that wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
  limit: number;
}

/** The lists of the driver's pool, which has no function that counts them. */
interface PoolInside {
  _allConnections: { length: number };
  _freeConnections: { length: number };
  _connectionQueue: { length: number };
}

/** Opens a pool. Idle connections close well before the server would drop them. */
export function openPool(options: PoolOptions): ConnectionPool {
  const { reach } = options;
  const driver = createPool({
    ...driverOptions(options),
    multipleStatements: false,
    connectionLimit: options.size,
    maxIdle: Math.max(1, options.size - 1),
    idleTimeout: POOL_IDLE_MS,
    queueLimit: MOST_WAITING,
  });
  driver.on('connection', (connection) => prepareConnection(connection, options, reach));
  if (options.hosts !== undefined) followHost(driver, options.hosts);
  if (reach !== undefined) guardWaiting(driver, reach);
  let stirring: NodeJS.Timeout | undefined;

  const withSession: ConnectionPool['withSession'] = async (work, ids) => {
    const session = createSession(await acquire(driver), { ...options, ids });
    if (options.stirMs !== undefined) stirring ??= setInterval(stir, options.stirMs).unref();
    try {
      return await work(session);
    } finally {
      session.release();
    }
  };
  const stir = () => {
    withSession((session) => session.transact(() => Promise.resolve())).catch((error: unknown) =>
      options.logger.debug('no connection is kept', { error: messageOf(error) }),
    );
  };
  return {
    driver,
    withSession,
    use: () => useOf(driver, options.size),
    close: () => {
      clearInterval(stirring);
      return new Promise((resolve, reject) => driver.end((error) => (error ? reject(error) : resolve())));
    },
  };
}

function useOf(driver: Pool, limit: number): PoolUse {
  const {
    _allConnections: all,
    _freeConnections: free,
    _connectionQueue: queue,
  } = driver as Pool & PoolInside;
  return { used: all.length - free.length, idle: free.length, waiting: queue.length, limit };
}

function acquire(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
  });
}

/** Fails requests that wait for a connection as soon as the database is found not to respond. */
function guardWaiting(pool: Pool, reach: Availability): void {
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (callback) => {
    let given = false;
    const end = reach.begin((error) => {
      given = true;
      callback(error, undefined as unknown as PoolConnection);
    });
    if (given) return;
    getConnection((error, connection) => {
      end(false);
      if (!given) callback(error, connection);
      else if (error === null) connection.release();
    });
  };
}
