import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { createSharedValue } from '../../../platform/redis/shared-value.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { SHARED_MS } from '../shared-by-scope.js';
import { countQueueWork, type WorkCount } from './queue-work-store.js';

/** All deliveries, as they were counted. */
export interface CountedWork {
  counts: WorkCount[];
  countedAt: Date;
}

/** Returns the last count; null: they could not be counted in time. */
export type CountWork = () => Promise<CountedWork | null>;

export interface CountedWorkDeps {
  database: Pick<Database, 'read'>;
  redis: RedisClient;
  prefix: string;
  logger: Logger;
  /** How long a count serves all processes, at least. */
  leastMs?: number;
}

/** Time after which the count of a process that died is made by another one. */
const COUNTING_MS = 60_000;
/** How often a process asks for the count that another one is making. */
const ASK_EVERY_MS = 100;
const LIMIT_MS = 5_000;
/** A request that can have an older count waits this long for a new one. */
const PATIENCE_MS = 1_000;
/** Milliseconds per counted delivery: the longest use of a count, several times what a slow database needs to make it. */
const MOST_MS_EACH = 0.2;

/**
 * Returns a function that gives the last count of all deliveries, and counts anew only when somebody asks: one process
 * for all, a twentieth of the time, or half of it at most where a count takes very long (decision 0057). Null: they could not be
 * counted in time. Failures are logged, those in a row once.
 */
export function createCountedWork(deps: CountedWorkDeps): CountWork {
  const { database, redis, prefix, logger, leastMs = SHARED_MS } = deps;
  const shared = createSharedValue({
    redis,
    logger,
    key: `${prefix}:work-by-reason`,
    read: () => countQueueWork(database),
    leastMs,
    mostMs: (counts) => leastMs + MOST_MS_EACH * counts.reduce((sum, { count: each }) => sum + each, 0),
    readingMs: COUNTING_MS,
  });
  let last: (CountedWork & { freshUntil: number }) | undefined;
  let counting: Promise<CountedWork | null> | undefined;
  let isFailing = false;

  const count = async (): Promise<CountedWork> => {
    for (let waitedMs = 0; waitedMs <= COUNTING_MS; waitedMs += ASK_EVERY_MS) {
      const found = await shared();
      if (found !== undefined) {
        const { value: counts, ageMs, freshMs } = found;
        const freshUntil = performance.now() + freshMs - ageMs;
        last = { counts, countedAt: new Date(Date.now() - ageMs), freshUntil };
        return last;
      }
      await sleep(ASK_EVERY_MS);
    }
    throw new Error('another process is taking too long to count deliveries');
  };

  const countOrNote = async (): Promise<CountedWork | null> => {
    try {
      const counted = await count();
      isFailing = false;
      return counted;
    } catch (error) {
      if (!isFailing) logger.warn('could not count deliveries', { error: messageOf(error) });
      isFailing = true;
      return null;
    }
  };

  return async () => {
    if (last !== undefined && performance.now() < last.freshUntil) return last;
    counting ??= countOrNote().finally(() => (counting = undefined));
    const older = last ?? null;
    return withTimeout(counting, older === null ? LIMIT_MS : PATIENCE_MS).catch(() => older);
  };
}
