import type { RetentionKind } from './retention-kind.js';

/** Rows of one transaction. */
const MOST_ROWS = 500;
const FEWEST_ROWS = 20;
const FIRST_ROWS = 200;
/** A batch shall be over before anybody has to wait for it. */
const SLOW_MS = 200;
const QUICK_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** The pause for each ms of a batch: where it took long, others are at work, or had to wait. */
const PAUSE_AFTER_QUICK = 0.25;
const PAUSE_AFTER_SLOW = 1;

/** How much is deleted at once, and how long the database is left to others in between. */
export interface RetentionPace {
  /** Rows of the next batch of this kind. */
  rows(kind: RetentionKind): number;
  /** Notes how a batch went; gives the pause that should follow, in ms. */
  took(kind: RetentionKind, batch: { ms: number; deleted: number }): number;
  /** A batch failed: it may have been too much at once. */
  failed(kind: RetentionKind): void;
}

/**
 * Batches become smaller where they take long (large events, a slow disk, a busy server) and larger again where they
 * do not. A quick one is followed by a short pause, one that was not quick by a pause as long as itself.
 */
export function createRetentionPace(): RetentionPace {
  const sizes = new Map<RetentionKind, number>();
  const rows = (kind: RetentionKind) => sizes.get(kind) ?? FIRST_ROWS;
  return {
    rows,
    took(kind, { ms, deleted }) {
      const size = rows(kind);
      // A batch that deleted next to nothing says nothing of how long a full one takes.
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
