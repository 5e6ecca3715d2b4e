import { isTransient } from '../../platform/mysql/db-errors.js';
import { isRedisState, isReply } from '../accept/redis-replies.js';

/** Rounds that fail this long, and this many of them, are no transient fault (promise 7). */
const STUCK_AFTER_MS = 5 * 60_000;
const LEAST_ROUNDS = 20;

export interface RelayWatchOptions {
  /** Returns true if Redis replies at all. Must not throw. */
  redisAnswers: () => Promise<boolean>;
  /** Called once, with the last error. */
  onStuck: (error: unknown) => void;
  stuckAfterMs?: number | undefined;
}

/** Watches how the rounds of the relay end. */
export type RelayWatch = ReturnType<typeof createRelayWatch>;

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
