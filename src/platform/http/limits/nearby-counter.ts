import { LRUCache } from 'lru-cache';
import { messageOf } from '../../errors.js';
import { withTimeout } from '../../runtime/timeout.js';
import type { Logger } from '../../logger.js';
import {
  addCalls,
  type CountingRedis,
  counterKeyOf,
  type RateLimit,
  type RateUsage,
  tightestOf,
  usageOf,
  WINDOW_MS,
} from './rate-counter.js';

/** Interval at which local counts are sent to Redis. */
const SHARE_EVERY_MS = 1_000;
/** Names sent per interval; the others wait for the next one. */
const SHARED_AT_ONCE = 500;
const COMMAND_TIMEOUT_MS = 1_000;
const LOG_EVERY_MS = 60_000;
/** Windows kept in this process; beyond that, the least recently used ones start again at 0. */
const MAX_WINDOWS = 50_000;

/** The requests counted under one name within a minute. */
interface Window {
  name: string;
  /** By the clock of `performance.now()`. */
  endsAt: number;
  /** The requests of all processes, as last read from Redis. */
  shared: number;
  /** The requests of this process that are not yet sent to Redis. */
  own: number;
}

/** Counts in this process, and shares its counts with the other processes at intervals. */
export interface NearbyCounter {
  /** Counts one request against all of `limits`, at once; returns the usage of the tightest. Undefined without limits. */
  count(limits: readonly RateLimit[]): RateUsage | undefined;
  /** Shares the last counts and keeps no timer; later requests are counted in this process alone. Never rejects. */
  close(): Promise<void>;
}

export interface NearbyCounterOptions {
  redis: CountingRedis;
  prefix: string;
  logger: Logger;
  /** Interval at which counts are sent to Redis; default: one second. */
  shareEveryMs?: number;
}

/**
 * Creates a counter without a round trip to Redis per request. Its counts are shared with the other processes each second,
 * under the keys of `RateCounter`. So a limit may be exceeded by one second's requests to the other processes.
 * Without Redis each process counts alone.
 */
export function createNearbyCounter(options: NearbyCounterOptions): NearbyCounter {
  const windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });
  const untold = new Set<Window>();
  let timer: NodeJS.Timeout | undefined;
  let sharing: Promise<void> | undefined;
  let isClosed = false;
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
    const message = 'Redis is unavailable: each web process counts webhook requests on its own';
    options.logger.warn(message, { error: messageOf(error) });
  };

  const shareSome = async (): Promise<void> => {
    const some = [...untold].slice(0, SHARED_AT_ONCE);
    for (const window of some) untold.delete(window);
    const { redis, prefix } = options;
    await Promise.all(
      some.map((window) => share(window, { redis, key: counterKeyOf(prefix, window.name) })),
    ).catch(failed);
  };

  const shareLater = (): void => {
    if (isClosed || sharing !== undefined) return;
    // No timer runs without requests, and a process that ends does not wait for it.
    timer ??= setTimeout(() => {
      timer = undefined;
      sharing = shareSome().finally(() => {
        sharing = undefined;
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
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sharing;
      await shareSome();
    },
  };
}

/** Sends the local count to Redis, and stores the total of all processes and the end of their window. */
async function share(window: Window, { redis, key }: { redis: CountingRedis; key: string }): Promise<void> {
  const told = window.own;
  const [count, leftMs] = await withTimeout(addCalls(redis, [key], { calls: told }), COMMAND_TIMEOUT_MS);
  if (count === undefined || leftMs === undefined) throw new Error('The response of Redis is too short');
  window.shared = count;
  window.own -= told;
  window.endsAt = performance.now() + leftMs;
}
