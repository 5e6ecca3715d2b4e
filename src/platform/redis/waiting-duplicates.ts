import { isCluster, type RedisClient } from './redis-client.js';

/**
 * Lets the duplicates of a connection be silent for longer than the connection itself: BullMQ waits for jobs on them, while all
 * queues share the connection.
 */
export function letDuplicatesWait(redis: RedisClient, socketTimeoutMs: number): void {
  if (isCluster(redis)) {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (nodes, options) =>
      duplicate(nodes, {
        ...options,
        redisOptions: { ...options?.redisOptions, socketTimeout: socketTimeoutMs },
      });
  } else {
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (options) => duplicate({ ...options, socketTimeout: socketTimeoutMs });
  }
}
