import type { Pool, PoolConnection } from 'mysql2';
import { type DatabaseTarget, driverOptions } from '../connection-settings.js';
import { streamOf } from '../connection-stream.js';
import type { DatabaseHosts } from './database-hosts.js';

const DEFAULT_PORT = 3306;
/** Other hosts that one request for a connection tries. */
const MOST_MOVES = 2;

/** The target of a connection; the driver's types omit its settings. */
interface Place {
  host: string;
  port: number;
  stream?: unknown;
}
interface Settled {
  config: Place;
}
interface Try {
  asked: DatabaseTarget;
  triesLeft: number;
}
interface PoolInside {
  config: { connectionConfig: Place };
  _allConnections: { length: number; get(index: number): PoolConnection };
}

/**
 * Lets a pool follow the host that is used: new connections go there, and one to another host is never handed out. If the
 * host before does not respond, all its connections break, and the statements on them fail as on any lost connection.
 */
export function followHost(driver: Pool, hosts: DatabaseHosts): void {
  const inside = driver as Pool & PoolInside;
  const settle = () => Object.assign(inside.config.connectionConfig, placeOf(hosts.current()));
  hosts.onMove(({ isLost }) => {
    settle();
    if (!isLost) return;
    const { host, port } = inside.config.connectionConfig;
    for (const connection of allOf(inside)) {
      if (!isAt(connection, { host, port })) streamOf(connection).destroy();
    }
  });
  const getConnection = driver.getConnection.bind(driver);
  const isCurrent = (connection: PoolConnection) => isAt(connection, inside.config.connectionConfig);
  driver.getConnection = (callback) => {
    const take = (triesLeft: number) => {
      const asked = hosts.current();
      getConnection((error, connection) => {
        if (error !== null) return void retryElsewhere(error, { asked, triesLeft });
        if (isCurrent(connection)) return callback(null, connection);
        connection.destroy();
        return take(triesLeft);
      });
    };
    /** A host that refuses the connection may have just gone: another one may be there. */
    const retryElsewhere = async (error: NodeJS.ErrnoException, { asked, triesLeft }: Try) => {
      if (triesLeft > 0 && hosts.current() === asked) await hosts.look();
      if (triesLeft > 0 && hosts.current() !== asked) take(triesLeft - 1);
      else callback(error, undefined as unknown as PoolConnection);
    };
    void hosts.chosen().then(() => take(MOST_MOVES));
  };
}

function placeOf(target: DatabaseTarget): Place {
  const { uri, stream } = driverOptions(target);
  const { hostname, port } = new URL(uri);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || DEFAULT_PORT, stream };
}

function isAt(connection: PoolConnection, { host, port }: Place): boolean {
  const { config } = connection as unknown as Settled;
  return config.host === host && config.port === port;
}

function allOf({ _allConnections: all }: PoolInside): PoolConnection[] {
  return Array.from({ length: all.length }, (_, index) => all.get(index));
}
