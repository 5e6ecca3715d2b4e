import type { RetentionKind } from './retention-kind.js';

/** Rows of one transaction. */
const MOST_ROWS = 500;
const FEWEST_ROWS = 20;
const FIRST_ROWS = 200;
/** Above `SLOW_MS` batches become smaller, below `QUICK_MS` larger, so that other transactions wait little. */
const SLOW_MS = 200;
const QUICK_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** Pause per ms of a batch. A slow batch shows that others use the database, or had to wait. */
const PAUSE_AFTER_QUICK = 0.25;
const PAUSE_AFTER_SLOW = 1;

/** Controls the size of batches and the pauses between them. */
export interface RetentionPace {
  /** Returns the number of rows of the next batch of this kind. */
  rows(kind: RetentionKind): number;
  /** Adapts to a finished batch; returns the pause that should follow, in ms. */
  took(kind: RetentionKind, batch: { ms: number; deleted: number }): number;
  /** Adapts to a failed batch, which may have been too large. */
  failed(kind: RetentionKind): void;
}

/**
 * Batches become smaller if they take long (large events, a slow disk, a busy server) and larger again if not. After a
 * quick batch follows a short pause, after any other a pause as long as the batch.
 */
export function createRetentionPace(): RetentionPace {
  const sizes = new Map<RetentionKind, number>();
  const rows = (kind: RetentionKind) => sizes.get(kind) ?? FIRST_ROWS;
  return {
    rows,
    took(kind, { ms, deleted }) {
      const size = rows(kind);
      // A batch that deleted little does not show how long a full one takes.
      if (ms > SLOW_MS) sizes.set(kind, Math.max(FEWEST_ROWS, Math.floor(size / 2)));
      else if (ms < QUICK_MS && deleted >= size / 2) sizes.set(kind, Math.min(MOST_ROWS, size * 2));
      const share = ms < QUICK_MS ? PAUSE_AFTER_QUICK : PAUSE_AFTER_SLOW;
      return Math.min(LONGEST_PAUSE_MS, Math.round(ms * share));
    },
    failed(kind) {
      sizes.set(kind, FEWEST_ROWS);
    },
  };
}
