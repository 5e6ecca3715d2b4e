import { createPool, type Pool, type PoolConnection } from 'mysql2';
import {
  type DatabaseTarget,
  driverOptions,
  POOL_IDLE_MS,
  STATEMENT_TIMEOUT_MS,
} from '../connections/connection-settings.js';
import { streamOf } from '../connections/connection-stream.js';
import { type ConnectionOptions, prepareConnection } from '../connections/prepare-connection.js';
import type { Availability } from '../connections/availability.js';

/** Most requests that wait for a connection of one pool. */
const MOST_WAITING = 10_000;

/** Connections of a pool, and the callers that wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
  limit: number;
}

/** Takes the connection, or the reason why there is none. */
export type ConnectionCallback = (error: NodeJS.ErrnoException | null, connection?: PoolConnection) => void;

/** Hands out connections: the part of the driver's pool that is used here and by knex. */
export interface ConnectionSource {
  /** Calls back once: with a connection to release or destroy, or with an error. */
  getConnection(callback: ConnectionCallback): void;
  /** Closes all connections. */
  end(callback: (error?: Error | null) => void): void;
  use(): PoolUse;
}

/** Connections to one host. */
export interface HostPool extends ConnectionSource {
  /**
   * Closes each connection once nobody uses it; after twice the time limit of a statement, all. `isLost`: the host does not
   * respond, and the statements on it fail now. Resolves when the pool is closed.
   */
  retire(isLost: boolean): Promise<void>;
}

export interface HostPoolOptions extends ConnectionOptions, DatabaseTarget {
  /** Most connections. */
  size: number;
  /** Set if a server that hangs must be detected (notes/stores.md, A database that hangs). */
  reach: Availability | undefined;
}

/** Opens a pool to one host. Idle connections close well before the server would drop them. */
export function openHostPool(options: HostPoolOptions): HostPool {
  const { size, reach, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const driver = createPool({
    ...driverOptions(options),
    multipleStatements: false,
    connectionLimit: size,
    maxIdle: Math.max(1, size - 1),
    idleTimeout: POOL_IDLE_MS,
    queueLimit: MOST_WAITING,
  });
  driver.on('connection', (connection) => prepareConnection(connection, options, reach));
  const { all, used, onLess } = followConnections(driver);
  let waiting = 0;
  return {
    getConnection(callback) {
      waiting += 1;
      driver.getConnection((error, connection) => {
        waiting -= 1;
        callback(error, connection);
      });
    },
    end: (callback) => driver.end(callback),
    use: () => ({ used: used.size, idle: all.size - used.size, waiting, limit: size }),
    retire: (isLost) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => breakAll(all), 2 * statementTimeoutMs).unref();
        const closeIfUnused = () => {
          if (used.size > 0) return;
          clearTimeout(timer);
          onLess(undefined);
          driver.end(() => resolve());
        };
        onLess(closeIfUnused);
        driver.on('release', (connection) => connection.destroy());
        if (isLost) breakAll(all);
        for (const connection of all) if (!used.has(connection)) connection.destroy();
        closeIfUnused();
      }),
  };
}

/** Returns the connections that are open, and those of them that are handed out; the driver's pool has no such list. */
function followConnections(driver: Pool) {
  const all = new Set<PoolConnection>();
  const used = new Set<PoolConnection>();
  let tellLess: (() => void) | undefined;
  driver.on('connection', (connection) => {
    all.add(connection);
    const forget = () => {
      all.delete(connection);
      if (used.delete(connection)) tellLess?.();
    };
    const destroy = connection.destroy.bind(connection);
    connection.destroy = () => {
      forget();
      destroy();
    };
    connection.once('error', forget).once('end', forget);
  });
  driver.on('acquire', (connection) => used.add(connection));
  driver.on('release', (connection) => {
    used.delete(connection);
    tellLess?.();
  });
  return { all, used, onLess: (listener: typeof tellLess) => void (tellLess = listener) };
}

function breakAll(connections: ReadonlySet<PoolConnection>): void {
  for (const connection of connections) streamOf(connection).destroy();
}
