import type { DatabaseTarget } from '../connections/connection-settings.js';
import type { DatabaseHosts } from './database-hosts.js';
import type { ConnectionCallback, ConnectionSource, HostPool } from './host-pool.js';

/** Errors of connections after which one request looks for another host. */
const MOST_LOOKS = 2;

/** A request for a connection, and the pool that it waits in. */
interface Request {
  callback: ConnectionCallback;
  looksLeft: number;
  pool?: HostPool;
}

/**
 * Hands out connections to the host that is used. Each host has a pool of its own, made when it is first needed; after a
 * move, requests that wait go on at the new host, and the pool of the host before closes.
 */
export function followHost(
  hosts: DatabaseHosts,
  openPool: (target: DatabaseTarget) => HostPool,
): ConnectionSource {
  const requests = new Set<Request>();
  const retired = new Set<HostPool>();
  let current: HostPool | undefined;

  const take = (request: Request) => {
    const pool = (current ??= openPool(hosts.current()));
    request.pool = pool;
    pool.getConnection((error, connection) => {
      // The request went on at another host.
      if (request.pool !== pool) return connection?.release();
      if (error !== null) return void lookElsewhere(request, pool, error);
      requests.delete(request);
      return request.callback(null, connection);
    });
  };
  /** A host that refuses the connection may have just gone: the look moves to another one that is there. */
  const lookElsewhere = async (request: Request, pool: HostPool, error: NodeJS.ErrnoException) => {
    request.looksLeft -= 1;
    if (request.looksLeft >= 0) await hosts.look();
    if (request.pool !== pool) return;
    requests.delete(request);
    request.callback(error);
  };
  const retire = (pool: HostPool, isLost: boolean) => {
    retired.add(pool);
    void pool.retire(isLost).then(() => retired.delete(pool));
  };
  hosts.onMove(({ isLost }) => {
    if (current === undefined) return;
    retire(current, isLost);
    current = undefined;
    for (const request of requests) take(request);
  });
  return {
    getConnection(callback) {
      const request = { callback, looksLeft: MOST_LOOKS };
      requests.add(request);
      void hosts.chosen().then(() => take(request));
    },
    end(callback) {
      for (const pool of retired) pool.end(() => undefined);
      if (current === undefined) callback();
      else current.end(callback);
    },
    use: () => {
      const { used = 0, idle = 0, limit = 0 } = current?.use() ?? {};
      const before = [...retired].reduce((sum, pool) => sum + pool.use().used, 0);
      return { used: used + before, idle, waiting: requests.size, limit };
    },
  };
}
