import type { Redis } from 'ioredis';
import { isCluster, type RedisClient } from './redis-client.js';

/**
 * Asks every server that holds keys: the one Redis, or all masters of a cluster. Returns the replies, at least one.
 * @throws if a server does not reply.
 */
export async function askMasters<Reply>(
  client: RedisClient,
  ask: (server: Redis) => Promise<Reply>,
): Promise<[Reply, ...Reply[]]> {
  const [first, ...others] = isCluster(client) ? client.nodes('master') : [client];
  if (first === undefined) throw new Error('No server of the Redis Cluster can be reached');
  return Promise.all([ask(first), ...others.map(ask)]);
}

/** Resolves if Redis replies; a cluster must have all its slots served. @throws if not. */
export async function pingRedis(client: RedisClient): Promise<void> {
  if (!isCluster(client)) return void (await client.ping());
  const states = await askMasters(client, (server) => server.cluster('INFO'));
  if (states.some((state) => !/^cluster_state:ok/m.test(state))) {
    throw new Error('The Redis Cluster does not serve all its slots');
  }
}
