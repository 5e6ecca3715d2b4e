import { Cluster, type Redis, type RedisOptions } from 'ioredis';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import type { ClusterAddress } from '../addresses/redis-address.js';
import { joinWrites } from './join-writes.js';
import { reconnectDelayMs } from './retry-delay.js';

/** The servers of the slots are asked for anew after this time, besides after each redirection and lost connection. */
const ASK_SLOTS_EVERY_MS = 30_000;
/** How often a command is sent again, with pauses of 100 ms: a worker outlasts the election of a new master. */
const TRIES = 16;
const PATIENT_TRIES = 200;
/** Time in which a server must say who serves which slots; then the next one is asked. */
const SLOTS_TIMEOUT_MS = 2_000;

/**
 * Creates a connection to a cluster: one to each server that it needs. Without `queueWhileAway`, commands fail at once while
 * no server can be reached. Commands for slots that are moving, or whose master is lost, are sent again for a while.
 */
export function createCluster(
  { nodes, username, password }: ClusterAddress,
  server: Omit<RedisOptions, 'replyMapping'>,
  { queueWhileAway }: { queueWhileAway: boolean },
): Cluster {
  // A server of a cluster is not connected to again before it is known to have slots; its commands wait for it.
  const { retryStrategy: _, enableOfflineQueue: __, ...redisOptions } = server;
  return new Cluster(nodes, {
    redisOptions: {
      ...redisOptions,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    },
    enableOfflineQueue: queueWhileAway,
    maxRedirections: queueWhileAway ? PATIENT_TRIES : TRIES,
    clusterRetryStrategy: reconnectDelayMs,
    slotsRefreshInterval: ASK_SLOTS_EVERY_MS,
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    // Names are looked up at each attempt to connect, and certificates are compared with them.
    dnsLookup: (host, resolve) => resolve(null, host),
  });
}

/** Prepares each server's connection of a cluster as it is made; logs once that a server is lost, and that it is back. */
export function followNodes(cluster: Cluster, { use, logger }: { use: string; logger: Logger }): void {
  const lost = new Set<string>();
  cluster.on('+node', (server: Redis) => {
    joinWrites(server);
    server.on('ready', () => {
      const name = `${server.options.host}:${server.options.port}`;
      if (lost.delete(name)) logger.info('a Redis Cluster node is reachable again', { use, server: name });
    });
  });
  cluster.on('node error', (error: Error, name: string) => {
    if (lost.has(name)) return;
    lost.add(name);
    logger.warn('a Redis Cluster node is unreachable', {
      use,
      server: name,
      error: messageOf(error),
    });
  });
}
