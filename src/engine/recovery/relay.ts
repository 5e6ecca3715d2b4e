import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/mysql/database.js';
import type { Logger } from '../../platform/logger.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import { addMissingJobs, type MissingJobsDeps } from './missing-jobs.js';
import { ANY_DUE, leaseDue, pendingAfter } from './relay-store.js';
import type { RedisLossDetector } from './redis-loss-detector.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { isRedisState, isReply } from '../accept/redis-replies.js';

/** Rounds that fail this long, and this many of them, are no transient fault (promise 7). */
const STUCK_AFTER_MS = 5 * 60_000;
const LEAST_ROUNDS = 20;

/** Watches how the rounds of the relay end. */
type RelayWatch = ReturnType<typeof createRelayWatch>;

/** Deliveries of each state in one pass; with the pause below this bounds the rate of catching up. */
const BATCH = 500;
const PAUSE_WHEN_BUSY_MS = 50;
const PAUSE_MS = 500;
const PAUSE_AFTER_ERROR_MS = 2_000;

export interface RelayDeps extends MissingJobsDeps {
  database: Database;
  lossDetector: RedisLossDetector;
  logger: Logger;
}

/**
 * Adds jobs for due deliveries without one: their job was lost with Redis or a process, or their waiting time is over
 * (rule 11). It polls the database instead of using jobs, so that it does not need Redis.
 */
export interface Relay {
  /** Runs one pass; returns the number of due deliveries. `signal` aborts a walk over all pending deliveries. */
  tick(signal?: AbortSignal): Promise<number>;
  /** Repeats passes until `signal` is aborted; reports each result to `watch`. */
  run(signal: AbortSignal, watch?: Pick<RelayWatch, 'succeeded' | 'failed'>): Promise<void>;
}

export function createRelay(deps: RelayDeps): Relay {
  const tick = async (signal?: AbortSignal) => {
    if (await deps.lossDetector.redisWasLost()) await walk(deps, signal);
    if (!(await deps.database.exists(ANY_DUE))) return 0;
    const due = await deps.database.transaction((session) => leaseDue(session, BATCH));
    if (due.length > 0) await addMissingJobs(due, deps);
    return due.length;
  };

  return {
    tick,
    run: (until, watch) =>
      loopUntil(until, {
        async pass(signal) {
          try {
            const due = await tick(signal);
            watch?.succeeded();
            return due >= BATCH ? PAUSE_WHEN_BUSY_MS : PAUSE_MS;
          } catch (error) {
            await watch?.failed(error);
            throw error;
          }
        },
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'relay pass failed',
        logger: deps.logger,
      }),
  };
}

/**
 * Adds missing jobs for all pending deliveries, by id, at a bounded rate. Then sets the sentinel, unless the walk was
 * aborted or Redis was lost once more.
 */
async function walk(deps: RelayDeps, signal?: AbortSignal): Promise<void> {
  const begun = await deps.lossDetector.beginWalk();
  let afterId = 0;
  let requeued = 0;
  for (;;) {
    const rows = await deps.database.read((session) => pendingAfter(session, afterId, BATCH));
    const last = rows.at(-1);
    if (last === undefined) break;
    if (signal?.aborted === true) return;
    requeued += await addMissingJobs(rows, deps, { keepLive: true });
    afterId = last.id;
    await sleep(PAUSE_WHEN_BUSY_MS);
  }
  await deps.lossDetector.setUp(begun);
  if (requeued > 0) deps.logger.warn('Redis lost jobs: added new jobs for their deliveries', { requeued });
}

interface RelayWatchOptions {
  /** Returns true if Redis replies at all. Must not throw. */
  redisAnswers: () => Promise<boolean>;
  /** Called once, with the last error. */
  onStuck: (error: unknown) => void;
  stuckAfterMs?: number | undefined;
}

/**
 * Calls `onStuck` if rounds fail for long while both stores serve. If a store is unreachable or refuses to serve, the
 * relay waits: restarting the process would not help. Rounds count as well as time, so that a process that was suspended
 * does not count as failed.
 */
export function createRelayWatch(options: RelayWatchOptions) {
  const { redisAnswers, onStuck, stuckAfterMs = STUCK_AFTER_MS } = options;
  let failing: { since: number; rounds: number } | undefined;
  let told = false;

  const isStoreAway = async (error: unknown): Promise<boolean> => {
    if (isTransient(error) || isRedisState(error)) return true;
    return !isReply(error) && !(await redisAnswers());
  };

  return {
    succeeded(): void {
      failing = undefined;
    },
    async failed(error: unknown): Promise<void> {
      if (await isStoreAway(error)) {
        failing = undefined;
        return;
      }
      failing ??= { since: performance.now(), rounds: 0 };
      failing.rounds += 1;
      const isLong = performance.now() - failing.since >= stuckAfterMs && failing.rounds >= LEAST_ROUNDS;
      if (!isLong || told) return;
      told = true;
      onStuck(error);
    },
  };
}
