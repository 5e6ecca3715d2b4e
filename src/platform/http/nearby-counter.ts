import { LRUCache } from 'lru-cache';
import { messageOf } from '../errors.js';
import { withTimeout } from '../runtime/timeout.js';
import type { Logger } from '../logger.js';
import {
  addCalls,
  type CountingRedis,
  keyOf,
  type RateLimit,
  type RateUsage,
  tightestOf,
  usageOf,
  WINDOW_MS,
} from './rate-counter.js';

/** How often what was counted here is told to Redis. */
const SHARE_EVERY_MS = 1_000;
/** Names told at once; the others wait for the next turn. */
const SHARED_AT_ONCE = 500;
const COMMAND_TIMEOUT_MS = 1_000;
const LOG_EVERY_MS = 60_000;
/** Windows of this process; where there are more, those that were quiet longest begin anew. */
const MAX_WINDOWS = 50_000;

/** The calls of one name within a minute. */
interface Window {
  name: string;
  /** By the clock of `performance.now()`. */
  endsAt: number;
  /** The calls of all processes, as Redis said last. */
  shared: number;
  /** The calls of this process that Redis has not been told. */
  own: number;
}

/** Counts in this process, and now and then with the other processes. */
export interface NearbyCounter {
  /** Counts one call against all of `limits`, at once; gives the usage of the tightest. Undefined without limits. */
  count(limits: readonly RateLimit[]): RateUsage | undefined;
}

export interface NearbyCounterOptions {
  redis: CountingRedis;
  prefix: string;
  logger: Logger;
  /** How often Redis is told; a second unless given. */
  shareEveryMs?: number;
}

/**
 * A counter that nobody waits for: it costs no round trip. What it counts is shared each second with the other
 * processes, by the keys of `RateCounter`. So a limit may be passed by the calls of a second in the other processes.
 * Without Redis each process counts for itself.
 */
export function createNearbyCounter(options: NearbyCounterOptions): NearbyCounter {
  const windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });
  const untold = new Set<Window>();
  let timer: NodeJS.Timeout | undefined;
  let logAgainAt = 0;

  const windowOf = (name: string, now: number): Window => {
    const known = windows.get(name);
    if (known !== undefined && now < known.endsAt) return known;
    const begun = { name, endsAt: now + WINDOW_MS, shared: 0, own: 0 };
    windows.set(name, begun);
    return begun;
  };

  const failed = (error: unknown): void => {
    const now = performance.now();
    if (now < logAgainAt) return;
    logAgainAt = now + LOG_EVERY_MS;
    const message = 'each web process counts webhook calls for itself: Redis cannot count';
    options.logger.warn(message, { error: messageOf(error) });
  };

  const shareLater = (): void => {
    // Nothing is counted while nobody calls, and a process that ends does not wait for this.
    timer ??= setTimeout(() => {
      const some = [...untold].slice(0, SHARED_AT_ONCE);
      for (const window of some) untold.delete(window);
      const { redis, prefix } = options;
      const telling = Promise.all(
        some.map((window) => share(window, { redis, key: keyOf(prefix, window.name) })),
      );
      void telling.catch(failed).finally(() => {
        timer = undefined;
        if (untold.size > 0) shareLater();
      });
    }, options.shareEveryMs ?? SHARE_EVERY_MS).unref();
  };

  return {
    count(limits) {
      const now = performance.now();
      const usages = limits.map((limit) => {
        const window = windowOf(limit.name, now);
        window.own += 1;
        untold.add(window);
        return usageOf(limit, window.shared + window.own, window.endsAt - now);
      });
      if (usages.length > 0) shareLater();
      return tightestOf(usages);
    },
  };
}

/** Tells Redis what was counted here, and takes over what all have counted and when their window ends. */
async function share(window: Window, { redis, key }: { redis: CountingRedis; key: string }): Promise<void> {
  const told = window.own;
  const [count, leftMs] = await withTimeout(addCalls(redis, [key], told), COMMAND_TIMEOUT_MS);
  if (count === undefined || leftMs === undefined) throw new Error('Redis gave too short an answer');
  window.shared = count;
  window.own -= told;
  window.endsAt = performance.now() + leftMs;
}
