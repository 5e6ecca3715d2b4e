import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { messageOf } from '../errors.js';
import { withTimeout } from '../runtime/timeout.js';
import type { Logger } from '../logger.js';

/** Calls are counted by the minute. */
export const WINDOW_MS = 60_000;
/** Redis answers within a millisecond; a limit is not worth more waiting than this. */
const COMMAND_TIMEOUT_MS = 250;
/** After a failure Redis is left alone for so long, so that a hanging one does not slow every request. */
const PAUSE_MS = 1_000;
const LOG_EVERY_MS = 60_000;

/** What is counted, and how many calls a minute it may have. */
export interface RateLimit {
  /** Unique among all limits: `api:12`. */
  name: string;
  perMinute: number;
  /** Whose calls are counted, for the refusal: `of one user`. */
  whose?: string;
}

/** How far a limit is used up, the present call included. */
export interface RateUsage {
  limit: number;
  /** Calls left in this window; 0 for the last one allowed and for each one refused. */
  remaining: number;
  /** Until the window ends and all calls are there again. */
  resetMs: number;
  exceeded: boolean;
  whose?: string | undefined;
}

export interface RateCounter {
  /**
   * Counts one call against all of `limits` in one round trip, and gives the usage of the tightest of them.
   * Undefined, never an error, when Redis cannot say: the call then passes (spec §1.8).
   */
  count(limits: readonly RateLimit[]): Promise<RateUsage | undefined>;
}

/** What is asked of Redis. */
export type CountingRedis = Pick<Redis, 'eval' | 'evalsha'>;

export interface RateCounterOptions {
  redis: CountingRedis;
  prefix: string;
  logger: Logger;
}

/**
 * A fixed window for each name, which begins with its first call. Exact and cheap: one counter that expires.
 * Counting and expiry are one script, so that no counter is left without an end. The second argument is how many calls.
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
 * Counts `calls` of each key; gives for each key the calls of its window, and the time until that ends, in ms. A Redis
 * that has not met the script, or was restarted, is given the text.
 */
export async function addCalls(redis: CountingRedis, keys: string[], calls = 1): Promise<number[]> {
  try {
    return (await redis.evalsha(COUNT_SHA, keys.length, ...keys, WINDOW_MS, calls)) as number[];
  } catch (error) {
    if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
    return (await redis.eval(COUNT, keys.length, ...keys, WINDOW_MS, calls)) as number[];
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
    logger.warn('rate limits are not enforced: Redis cannot count', { error: messageOf(error) });
  };

  return {
    async count(limits) {
      if (limits.length === 0 || performance.now() < askAgainAt) return undefined;
      const keys = limits.map(({ name }) => keyOf(prefix, name));
      try {
        return tightest(limits, await withTimeout(addCalls(redis, keys), COMMAND_TIMEOUT_MS));
      } catch (error) {
        return failed(error);
      }
    },
  };
}

/** The key of Redis that a limit is counted under. */
export function keyOf(prefix: string, name: string): string {
  return `${prefix}:rate:${name}`;
}

function tightest(limits: readonly RateLimit[], reply: number[]): RateUsage | undefined {
  const usages = limits.map((limit, index) => {
    const [count, resetMs] = [reply[index * 2], reply[index * 2 + 1]];
    if (count === undefined || resetMs === undefined) throw new Error('Redis gave too short an answer');
    return usageOf(limit, count, resetMs);
  });
  return tightestOf(usages);
}

/** Of the limits that are exceeded the one that lasts longest; of the others the one with the fewest calls left. */
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

/** How far a limit is used up by `count` calls of the window that ends in `resetMs`. */
export function usageOf({ perMinute: limit, whose }: RateLimit, count: number, resetMs: number): RateUsage {
  return { limit, remaining: Math.max(0, limit - count), resetMs, exceeded: count > limit, whose };
}
