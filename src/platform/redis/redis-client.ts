import type { Cluster, Redis } from 'ioredis';

/** A connection to Redis: to one server, be it a lone one or the master that sentinels name, or to all of a cluster. */
export type RedisClient = Redis | Cluster;

/** Returns true for a connection to a cluster, where one command or pipeline may name keys of one slot only. */
export function isCluster(client: object): client is Cluster {
  return 'isCluster' in client && client.isCluster === true;
}
