import type { Redis } from 'ioredis';
import { askMasters } from '../../platform/redis/masters.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { Logger } from '../../platform/logger.js';
import { isDenied } from './redis-replies.js';

/** Redis's memory settings are read again after this time: they can change while it runs. */
const ASK_EVERY_MS = 5_000;
/** Assumed if Redis reports neither its limit nor the machine's memory. */
const UNKNOWN_BYTES = 256 * 1024 * 1024;
/** Policies that never evict keys without a time to live; the keys of the spool have none. */
const KEEPING = /^(noeviction|volatile-[a-z]+)$/;

/** How Redis treats keys without a time to live if its memory is full; `unknown`: it does not report that. */
export type RedisEviction = 'keeps' | 'evicts' | 'unknown';

export interface RedisMemory {
  /** Its `maxmemory`; if unset, the memory of its machine. Of a cluster, that of the smallest master. */
  bytes: number;
  keeping: RedisEviction;
}

const SAID: Record<RedisEviction, string> = {
  keeps: 'Redis does not evict keys, so webhooks can be spooled there',
  evicts:
    'Redis evicts keys when its memory is full, so webhooks are not spooled there while MySQL is down: set maxmemory-policy to noeviction',
  unknown:
    'Redis does not report whether it evicts keys, so webhooks are not spooled there while MySQL is down: allow the user to run INFO, or set REDIS_POLICY=noeviction if it never evicts',
};

/** Returns why Redis cannot hold the only copy of something; undefined if it can. */
export function troubleOf(keeping: RedisEviction): string | undefined {
  return keeping === 'keeps' ? undefined : SAID[keeping];
}

export interface RedisMemoryDeps {
  redis: RedisClient;
  /** The operator's word for a Redis that does not report its policy; undefined: none is given. */
  policy: 'noeviction' | undefined;
  logger: Logger;
}

/**
 * Returns a function that reads how much memory Redis may use, and whether it evicts keys; cached for `ASK_EVERY_MS`. In a
 * container without `maxmemory` the value is too high: Redis sees the whole machine. Logs when evicting starts or ends. The
 * master of a cluster that suits the spool least counts.
 * @throws if Redis does not reply.
 */
export function createRedisMemory({ redis, policy, logger }: RedisMemoryDeps): () => Promise<RedisMemory> {
  let known: { memory: RedisMemory; askedAt: number } | undefined;
  return async () => {
    const askedAt = performance.now();
    if (known !== undefined && askedAt - known.askedAt <= ASK_EVERY_MS) return known.memory;
    const memory = leastOf(
      await askMasters(redis, async (server) => memoryIn(await settingsOf(server), policy)),
    );
    const before = known?.memory.keeping ?? 'keeps';
    known = { memory, askedAt };
    if (memory.keeping !== before)
      logger[memory.keeping === 'keeps' ? 'info' : 'error'](SAID[memory.keeping]);
    return memory;
  };
}

type Settings = (name: string) => string | undefined;

/** Reads the settings with INFO; if this user may not, with CONFIG. */
async function settingsOf(redis: Redis): Promise<Settings> {
  const info = await unlessDenied(redis.info('memory'));
  if (info !== undefined) return (name) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const pairs = await unlessDenied(redis.config('GET', 'maxmemory*'));
  return (name) => {
    const at = pairs?.indexOf(name.replaceAll('_', '-')) ?? -1;
    return at < 0 ? undefined : pairs?.[at + 1];
  };
}

async function unlessDenied<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}

function leastOf(memories: readonly [RedisMemory, ...RedisMemory[]]): RedisMemory {
  const kinds = memories.map(({ keeping }) => keeping);
  const worst = (['evicts', 'unknown'] as const).find((kind) => kinds.includes(kind));
  return { bytes: Math.min(...memories.map(({ bytes }) => bytes)), keeping: worst ?? 'keeps' };
}

function memoryIn(settings: Settings, known: string | undefined): RedisMemory {
  const bytesOf = (name: string) => Number(settings(name) ?? 0) || 0;
  const limit = bytesOf('maxmemory');
  const policy = settings('maxmemory_policy') ?? known;
  const bytes = [limit, bytesOf('total_system_memory')].find((known) => known > 0) ?? UNKNOWN_BYTES;
  if (policy === undefined) return { bytes, keeping: 'unknown' };
  // Without a limit Redis never evicts.
  return { bytes, keeping: KEEPING.test(policy) || limit === 0 ? 'keeps' : 'evicts' };
}
