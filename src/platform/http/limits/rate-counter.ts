import { createHash } from 'node:crypto';
import { isCluster, type RedisClient } from '../../redis/redis-client.js';
import { messageOf } from '../../errors.js';
import { withTimeout } from '../../runtime/timeout.js';
import type { Logger } from '../../logger.js';

/** Requests are counted per minute. */
export const WINDOW_MS = 60_000;
/** Redis responds within a millisecond; a limit is not worth a longer wait than this. */
const COMMAND_TIMEOUT_MS = 250;
/** After a failure Redis is not asked for this time, so that a hanging one does not slow every request. */
const PAUSE_MS = 1_000;
const LOG_EVERY_MS = 60_000;

/** One counter, and the requests per minute that it allows. */
export interface RateLimit {
  /** Unique among all limits: `api:12`. */
  name: string;
  perMinute: number;
  /** The scope of the count, for the error message: `of one user`. */
  whose?: string;
}

/** Usage of a limit, the present request included. */
export interface RateUsage {
  limit: number;
  /** Requests left in this window; 0 for the last one allowed and for each one refused. */
  remaining: number;
  /** Time until the window ends and the full limit is available again. */
  resetMs: number;
  exceeded: boolean;
  whose?: string | undefined;
}

export interface RateCounter {
  /**
   * Counts one request against all of `limits` in one round trip; returns the usage of the tightest of them.
   * Never throws: returns undefined when Redis fails; the request is then allowed (spec §1.8). `windowMs`: a minute
   * unless given, always the same for one name.
   */
  count(limits: readonly RateLimit[], windowMs?: number): Promise<RateUsage | undefined>;
}

/** The Redis commands used. */
export type CountingRedis = Pick<RedisClient, 'eval' | 'evalsha'>;

export interface RateCounterOptions {
  redis: CountingRedis;
  prefix: string;
  logger: Logger;
}

/**
 * A fixed window per name, which begins with its first request. Exact and cheap: one counter that expires.
 * One script counts and sets the expiry, so that no counter lives forever. ARGV: window in ms, number of requests.
 */
const COUNT = `
local usage = {}
for index, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[2])
  local left = redis.call('PTTL', key)
  if left < 0 then
    redis.call('PEXPIRE', key, ARGV[1])
    left = tonumber(ARGV[1])
  end
  usage[index * 2 - 1] = count
  usage[index * 2] = left
end
return usage
`;

const COUNT_SHA = createHash('sha1').update(COUNT).digest('hex');

/**
 * Adds `calls` requests to each key; returns for each key the count in its window and the ms until that ends. The script's
 * text is sent only if Redis does not know it yet, for example after a restart. A cluster gets one command for each key.
 */
export async function addCalls(
  redis: CountingRedis,
  keys: string[],
  { calls = 1, windowMs = WINDOW_MS }: { calls?: number; windowMs?: number | undefined } = {},
): Promise<number[]> {
  const given = [windowMs, calls];
  if (!isCluster(redis) || keys.length < 2) return addToSlot(redis, keys, given);
  return (await Promise.all(keys.map((key) => addToSlot(redis, [key], given)))).flat();
}

async function addToSlot(redis: CountingRedis, keys: string[], given: number[]): Promise<number[]> {
  try {
    return (await redis.evalsha(COUNT_SHA, keys.length, ...keys, ...given)) as number[];
  } catch (error) {
    if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
    return (await redis.eval(COUNT, keys.length, ...keys, ...given)) as number[];
  }
}

/** Creates the counter; its keys are `<prefix>:rate:<name>`, shared by all web processes. */
export function createRateCounter({ redis, prefix, logger }: RateCounterOptions): RateCounter {
  let askAgainAt = 0;
  let logAgainAt = 0;

  const failed = (error: unknown): undefined => {
    const now = performance.now();
    askAgainAt = now + PAUSE_MS;
    if (now < logAgainAt) return;
    logAgainAt = now + LOG_EVERY_MS;
    logger.warn('rate limits are not enforced: Redis is unavailable', { error: messageOf(error) });
  };

  return {
    async count(limits, windowMs) {
      if (limits.length === 0 || performance.now() < askAgainAt) return undefined;
      const keys = limits.map(({ name }) => counterKeyOf(prefix, name));
      try {
        return tightest(limits, await withTimeout(addCalls(redis, keys, { windowMs }), COMMAND_TIMEOUT_MS));
      } catch (error) {
        return failed(error);
      }
    },
  };
}

/** The Redis key of a limit's counter. */
export function counterKeyOf(prefix: string, name: string): string {
  return `${prefix}:rate:${name}`;
}

function tightest(limits: readonly RateLimit[], reply: number[]): RateUsage | undefined {
  const usages = limits.map((limit, index) => {
    const [count, resetMs] = [reply[index * 2], reply[index * 2 + 1]];
    if (count === undefined || resetMs === undefined) throw new Error('The response of Redis is too short');
    return usageOf(limit, count, resetMs);
  });
  return tightestOf(usages);
}

/** Returns the exceeded limit that lasts longest; if none is exceeded, the one with the fewest requests left. */
export function tightestOf(usages: readonly RateUsage[]): RateUsage | undefined {
  return usages.reduce<RateUsage | undefined>(
    (tightest, usage) => (tightest === undefined || isTighter(usage, tightest) ? usage : tightest),
    undefined,
  );
}

function isTighter(one: RateUsage, other: RateUsage): boolean {
  if (one.exceeded !== other.exceeded) return one.exceeded;
  return one.exceeded ? one.resetMs > other.resetMs : one.remaining < other.remaining;
}

/** Returns the usage of a limit by `count` requests in a window that ends in `resetMs`. */
export function usageOf({ perMinute: limit, whose }: RateLimit, count: number, resetMs: number): RateUsage {
  return { limit, remaining: Math.max(0, limit - count), resetMs, exceeded: count > limit, whose };
}
