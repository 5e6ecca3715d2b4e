import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import type { RetentionKind, RetentionTally } from './retention-kind.js';
import type { RetentionPace } from './retention-pace.js';

/** Shorter pauses are skipped. */
const LEAST_PAUSE_MS = 3;

/** One pass of retention. */
export interface RetentionRound {
  /** Whether to check due rows that had to stay again, and rows of deleted agents and stories. */
  thorough: boolean;
  /** Whether rows are only counted, not deleted. */
  countOnly: boolean;
  /** Whether only rows are deleted that the archive has. */
  onlyArchived: boolean;
  /** Reads without changing anything. */
  look<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs one short transaction of at most `limit` rows, then pauses. */
  batch<T extends { deleted: number }>(
    kind: RetentionKind,
    work: (session: Session, limit: number) => Promise<T>,
  ): Promise<T>;
  /** Adds rows that were counted without a batch. */
  count(kind: RetentionKind, found: number): void;
}

export interface RetentionRoundDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  pace: RetentionPace;
  /** Filled with the numbers deleted. */
  tally: RetentionTally;
  /** Renews this process's lease. @throws if another process has taken over. */
  keepLease(): Promise<void>;
  onProgress(): void;
  /** Ends the pass; its reason is thrown. */
  signal: AbortSignal;
  thorough: boolean;
  countOnly: boolean;
  onlyArchived: boolean;
}

export function createRetentionRound(deps: RetentionRoundDeps): RetentionRound {
  const { database, pace, tally, signal } = deps;
  const ready = async () => {
    signal.throwIfAborted();
    await deps.keepLease();
  };
  const count = (kind: RetentionKind, found: number) => {
    tally[kind] += found;
    if (found > 0) deps.onProgress();
  };

  return {
    thorough: deps.thorough,
    countOnly: deps.countOnly,
    onlyArchived: deps.onlyArchived,
    async look(work) {
      await ready();
      return database.read(work);
    },
    async batch(kind, work) {
      await ready();
      const began = performance.now();
      const result = await retryLockConflicts(() =>
        database.transaction((session) => work(session, pace.rows(kind))),
      ).catch((error: unknown) => {
        pace.failed(kind);
        throw error;
      });
      const pause = pace.took(kind, { ms: performance.now() - began, deleted: result.deleted });
      count(kind, result.deleted);
      if (pause >= LEAST_PAUSE_MS) await sleep(pause, undefined, { signal }).catch(() => undefined);
      return result;
    },
    count,
  };
}
