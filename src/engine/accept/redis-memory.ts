import type { Redis } from 'ioredis';
import type { Logger } from '../../platform/logger.js';
import { isDenied } from './redis-replies.js';

/** What Redis says of its memory is asked again after this: it can be set while it runs. */
const ASK_EVERY_MS = 5_000;
/** Taken where Redis says neither what it may use nor what there is. */
const UNKNOWN_BYTES = 256 * 1024 * 1024;
/** Policies that leave alone what has no time to live: so does all that the spool holds. */
const KEEPING = /^(noeviction|volatile-[a-z]+)$/;

/** What Redis does with what has no time to live, when its memory is full; `unknown`: it does not say. */
export type Keeping = 'keeps' | 'evicts' | 'unknown';

export interface RedisMemory {
  /** It may use: its `maxmemory`; without one, what its machine has. */
  bytes: number;
  keeping: Keeping;
}

const SAID: Record<Keeping, string> = {
  keeps: 'Redis keeps what it is given',
  evicts:
    'Redis evicts keys when its memory is full, so webhooks are not spooled there while MySQL is away: set maxmemory-policy to noeviction',
  unknown:
    'Redis does not say whether it evicts keys, so webhooks are not spooled there while MySQL is away: give the user the right to INFO',
};

/** What is wrong with a Redis as a place for the only copy of something; undefined: nothing. */
export function troubleOf(keeping: Keeping): string | undefined {
  return keeping === 'keeps' ? undefined : SAID[keeping];
}

/**
 * Gives how much memory Redis may use, and whether it keeps what it is given. In a container its machine has more than it
 * will get, and Redis cannot know. Says so in the log when it does not keep, and when that changes. @throws when Redis does not answer.
 */
export function createRedisMemory(
  redis: Pick<Redis, 'info' | 'config'>,
  logger: Logger,
): () => Promise<RedisMemory> {
  let known: { memory: RedisMemory; askedAt: number } | undefined;
  return async () => {
    const askedAt = performance.now();
    if (known !== undefined && askedAt - known.askedAt <= ASK_EVERY_MS) return known.memory;
    const memory = memoryIn(await settingsOf(redis));
    const before = known?.memory.keeping ?? 'keeps';
    known = { memory, askedAt };
    if (memory.keeping !== before)
      logger[memory.keeping === 'keeps' ? 'info' : 'error'](SAID[memory.keeping]);
    return memory;
  };
}

type Settings = (name: string) => string | undefined;

/** By INFO; where this user may not ask that, by CONFIG. */
async function settingsOf(redis: Pick<Redis, 'info' | 'config'>): Promise<Settings> {
  const info = await unlessDenied(redis.info('memory'));
  if (info !== undefined) return (name) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const pairs = await unlessDenied(redis.config('GET', 'maxmemory*'));
  return (name) => {
    const at = pairs?.indexOf(name.replaceAll('_', '-')) ?? -1;
    return at < 0 ? undefined : pairs?.[at + 1];
  };
}

async function unlessDenied<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}

function memoryIn(settings: Settings): RedisMemory {
  const bytesOf = (name: string) => Number(settings(name) ?? 0) || 0;
  const limit = bytesOf('maxmemory');
  const policy = settings('maxmemory_policy');
  const bytes = [limit, bytesOf('total_system_memory')].find((known) => known > 0) ?? UNKNOWN_BYTES;
  if (policy === undefined) return { bytes, keeping: 'unknown' };
  // Without a limit there is nothing to make room for.
  return { bytes, keeping: KEEPING.test(policy) || limit === 0 ? 'keeps' : 'evicts' };
}
