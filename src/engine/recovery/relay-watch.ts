import { isTransient } from '../../platform/mysql/db-errors.js';
import { isRedisState, isReply } from '../accept/redis-replies.js';

/** Rounds that fail for so long, and so many of them, are no passing fault (promise 7). */
const STUCK_AFTER_MS = 5 * 60_000;
const LEAST_ROUNDS = 20;

export interface RelayWatchOptions {
  /** Whether Redis answers anything. Must not throw. */
  redisAnswers: () => Promise<boolean>;
  /** Told once, with the last error. */
  onStuck: (error: unknown) => void;
  stuckAfterMs?: number | undefined;
}

/** Hears how the rounds of the relay end. */
export type RelayWatch = ReturnType<typeof createRelayWatch>;

/**
 * Tells when rounds have failed for long although both stores are there. While one is away, or says that it does not serve now,
 * the relay waits: a new process could do no more. Rounds count besides time, so that a process that was stopped for a while
 * is not taken for one that failed.
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
