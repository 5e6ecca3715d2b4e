import { pingRedis } from '../../platform/redis/masters.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { Config } from '../../config/face.js';
import { createSpoolQuota, type Queues, readProcesses, SPOOL } from '../../engine/face.js';
import { createSilentLogger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import { memoize } from '../../platform/runtime/memoize.js';
import type { StoreContext } from './check.js';
import { readServerVariables } from './facts/database-facts-store.js';
import { readQueueFacts } from './facts/queue-facts.js';
import { readRedisInfo } from './facts/redis-info.js';

export interface OpenStores {
  config: Config;
  database: Pick<Database, 'read' | 'knex'>;
  redis: RedisClient;
  queues: Queues;
  /** Resolves if Redis replies. Default: a PING does. */
  reachRedis?: () => Promise<unknown>;
  /** Default: the clock of this machine. */
  nowMs?: () => number;
}

/** Creates what the checks of one report look at; values that several checks need are read once. */
export function createStoreContext(stores: OpenStores): StoreContext {
  const { config, database, redis, queues, nowMs = Date.now, reachRedis = () => pingRedis(redis) } = stores;
  const spool = createSpoolQuota({
    redis,
    queue: queues.at(SPOOL),
    maxBytes: config.spoolMaxBytes,
    policy: config.redisPolicy,
    logger: createSilentLogger(),
  });
  return {
    config,
    database,
    redis,
    reachRedis,
    queues,
    nowMs,
    databaseSettings: memoize(() => database.read(readServerVariables)),
    redisInfo: memoize(() => readRedisInfo(redis)),
    queueFacts: memoize(() => readQueueFacts({ queues, redis, nowMs: nowMs() })),
    processes: memoize(() => readProcesses(redis, config.queuePrefix)),
    spoolLevel: () => spool.level(),
  };
}
