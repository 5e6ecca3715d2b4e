import type { Redis } from 'ioredis';

/** Notices that Redis has lost what it held: emptied, or started anew (rule 11). */
export interface RedisSentinel {
  /** True until `setUp`. @throws when Redis does not answer. */
  redisWasLost(): Promise<boolean>;
  setUp(): Promise<void>;
}

/** A key that holds the server's `run_id`: the key goes with FLUSHALL, the id changes with a restart. */
export function createRedisSentinel(redis: Redis, prefix: string): RedisSentinel {
  const key = `${prefix}:sentinel`;
  const runId = async () => {
    const info = await redis.info('server');
    return /^run_id:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  };
  return {
    redisWasLost: async () => (await redis.get(key)) !== (await runId()),
    setUp: async () => {
      await redis.set(key, await runId());
    },
  };
}
