import type { PoolConnection } from 'mysql2';
import { messageOf } from '../../errors.js';
import type { Availability } from './availability.js';
import type { DatabaseHosts } from '../hosts/database-hosts.js';
import { followHost } from '../hosts/follow-host.js';
import {
  type ConnectionSource,
  type HostPoolOptions,
  openHostPool,
  type PoolUse,
} from '../hosts/host-pool.js';
import type { IdAllocator } from '../ids/id-allocator.js';
import { createSession, type Session } from '../session.js';

export interface PoolOptions extends HostPoolOptions {
  /**
   * Interval, in ms, at which an idle connection is used, after the first use of the pool: so one stays open, and no request
   * after a quiet period waits for a new one. Default: all idle connections close.
   */
  stirMs?: number | undefined;
  /** Set if the address lists several hosts; `url` is then that of the first. */
  hosts?: DatabaseHosts | undefined;
}

/** A pool of connections with the same settings; each is opened when first needed. */
export interface ConnectionPool {
  /** Hands out the connections, for knex. */
  source: ConnectionSource;
  /** Runs `work` on a connection of its own, when one is free. */
  withSession<T>(work: (session: Session) => Promise<T>, ids?: IdAllocator): Promise<T>;
  /** Returns how much of the pool is in use now. */
  use(): PoolUse;
  close(): Promise<void>;
}

/** Opens a pool that uses one of the hosts at a time; each connection is opened when first needed. */
export function openPool(options: PoolOptions): ConnectionPool {
  const { reach, hosts } = options;
  const open =
    hosts === undefined
      ? openHostPool(options)
      : followHost(hosts, (target) => openHostPool({ ...options, ...target }));
  const source = reach === undefined ? open : guardWaiting(open, reach);
  let stirring: NodeJS.Timeout | undefined;

  const withSession: ConnectionPool['withSession'] = async (work, ids) => {
    const session = createSession(await acquire(source), { ...options, ids });
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
    source,
    withSession,
    use: () => source.use(),
    close: () => {
      clearInterval(stirring);
      return new Promise((resolve, reject) => source.end((error) => (error ? reject(error) : resolve())));
    },
  };
}

function acquire(source: ConnectionSource): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    source.getConnection((error, connection) =>
      connection === undefined ? reject(error) : resolve(connection),
    );
  });
}

/** Fails requests that wait for a connection as soon as the database is found not to respond. */
function guardWaiting(source: ConnectionSource, reach: Availability): ConnectionSource {
  return {
    ...source,
    getConnection(callback) {
      let given = false;
      const end = reach.begin((error) => {
        given = true;
        callback(error);
      });
      if (given) return;
      source.getConnection((error, connection) => {
        end(false);
        if (!given) callback(error, connection);
        else connection?.release();
      });
    },
  };
}
