import type { Redis } from 'ioredis';

/**
 * Notices that Redis does not hold the jobs of this database: it was emptied, or started anew (rule 11), or the database
 * was restored beside it.
 */
export interface RedisSentinel {
  /** True until `setUp`. @throws when Redis does not answer. */
  redisWasLost(): Promise<boolean>;
  setUp(): Promise<void>;
}

/**
 * A key that bears the database's epoch and holds the server's `run_id`: the key goes with FLUSHALL, the id changes with a
 * restart, the epoch with a restore.
 */
export function createRedisSentinel(
  redis: Redis,
  prefix: string,
  epoch: () => Promise<string>,
): RedisSentinel {
  const key = async () => `${prefix}:sentinel:${await epoch()}`;
  const runId = async () => {
    const info = await redis.info('server');
    return /^run_id:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  };
  return {
    redisWasLost: async () => (await redis.get(await key())) !== (await runId()),
    setUp: async () => {
      await redis.set(await key(), await runId());
    },
  };
}
