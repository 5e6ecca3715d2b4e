import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { Config } from '../../../config/face.js';
import { createQueues, type Queues } from '../../../engine/face.js';
import { createSilentLogger } from '../../../platform/logger.js';
import { pingRedis } from '../../../platform/redis/masters.js';
import { createRedis, waitUntilRedisReady } from '../../../platform/redis/redis.js';

const CONNECT_LIMIT_MS = 5_000;

/** Redis and the queues of a command. */
export interface CliQueues {
  redis: RedisClient;
  queues: Queues;
  /** Resolves if Redis replies. @throws why it cannot be reached. */
  reachRedis: () => Promise<unknown>;
}

/** Opens Redis and the queues, runs `work` and closes them. */
export async function withCliQueues<T>(config: Config, work: (open: CliQueues) => Promise<T>): Promise<T> {
  const logger = createSilentLogger();
  const redis = createRedis(config, 'producer', logger);
  const queues = createQueues({ redis, prefix: config.queuePrefix, parts: config.queueParts, logger });
  let lost: Error | undefined;
  redis.on('error', (error: Error) => (lost = error));
  const reachRedis = async () => {
    await waitUntilRedisReady(redis, CONNECT_LIMIT_MS);
    if (redis.status !== 'ready' && lost !== undefined) throw lost;
    return pingRedis(redis);
  };
  try {
    return await work({ redis, queues, reachRedis });
  } finally {
    await queues.close();
    redis.disconnect();
  }
}
