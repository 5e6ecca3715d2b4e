import type { Cluster } from 'ioredis';
import { isCluster, type RedisClient } from './redis-client.js';

/**
 * Lets the duplicates of a connection be silent for longer than the connection itself: BullMQ waits for jobs on them, while all
 * queues share the connection.
 */
export function letDuplicatesWait(redis: RedisClient, socketTimeoutMs: number): void {
  if (isCluster(redis)) {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (nodes, options) => {
      const made = duplicate(nodes, {
        ...options,
        redisOptions: { ...options?.redisOptions, socketTimeout: socketTimeoutMs },
      });
      settleWhenReady(made);
      return made;
    };
  } else {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (options) => duplicate({ ...options, socketTimeout: socketTimeoutMs });
  }
}

/**
 * Lets `connect` end when the cluster is ready. If a first attempt fails, the driver connects again by itself, and the promise of
 * the first stays open for ever: after the loss of a master BullMQ would wait for it, and its worker would take no more jobs.
 */
export function settleWhenReady(cluster: Pick<Cluster, 'connect' | 'once' | 'off'>): void {
  const connect = cluster.connect.bind(cluster);
  cluster.connect = () =>
    new Promise((resolve, reject) => {
      cluster.once('ready', resolve);
      void connect()
        .then(resolve, reject)
        .finally(() => cluster.off('ready', resolve));
    });
}
