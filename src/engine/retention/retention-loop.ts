import type { Database } from '../../platform/mysql/database.js';
import { LeaseLost } from '../../platform/mysql/lease/under-lease.js';
import { createWorkLease, NO_LEASE } from '../../platform/mysql/lease/work-lease.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import { countedKinds, emptyTally, type RetentionTally } from './retention-kind.js';
import { createRetentionPace } from './retention-pace.js';
import { createRetentionRound } from './retention-round.js';
import { createRetentionSteps, type RetentionPeriods } from './retention-steps.js';

const PAUSE_MS = 60_000;
const PAUSE_AFTER_ERROR_MS = 10_000;
const FAILURE = 'retention could not complete a pass';
/** Interval of thorough passes: they check due rows that had to stay, and rows of deleted owners. */
const THOROUGH_EVERY_MS = 15 * 60_000;

export interface RetentionDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  periods: RetentionPeriods;
  /** Whether only rows are deleted that the archive has (docs/operate/archive.md). */
  onlyArchived?: boolean;
  /** Called when a pass has deleted everything that was due when it began; absent: nobody is told. */
  onFinished?: ((began: Date) => void) | undefined;
  logger: Logger;
}

export interface PassOptions {
  /** See `RetentionRound`; the first pass always is. */
  thorough?: boolean;
  /** Only counts what is due now, without rows that depend on it, and deletes nothing. */
  countOnly?: boolean;
  /** Called with the numbers deleted so far. */
  onProgress?(tally: RetentionTally): void;
  /** Ends the pass after the current batch; its reason is thrown. */
  signal?: AbortSignal;
}

/** Deletes rows past their retention time (spec §5.6), in small transactions, one process at a time. */
export interface Retention {
  /** Runs one pass until nothing is due. Returns the numbers deleted; undefined if another process has the lease. */
  pass(options?: PassOptions): Promise<RetentionTally | undefined>;
  /** Repeats passes until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createRetentionLoop(deps: RetentionDeps): Retention {
  const { database, periods, onlyArchived = false, onFinished, logger } = deps;
  const steps = createRetentionSteps(periods);
  const pace = createRetentionPace();
  let thoroughAt = Number.NEGATIVE_INFINITY;

  const pass: Retention['pass'] = async (options = {}) => {
    const { countOnly = false, signal = new AbortController().signal } = options;
    const lease = countOnly ? NO_LEASE : createWorkLease(database, 'retention');
    if (!(await lease.take())) return undefined;
    const began = performance.now();
    const thorough = options.thorough === true || began - thoroughAt >= THOROUGH_EVERY_MS;
    const tally = emptyTally();
    const onProgress = () => options.onProgress?.(tally);
    const keepLease = () => lease.keep();
    const common = { database, pace, tally, keepLease, onProgress, signal, countOnly, onlyArchived };
    const round = createRetentionRound({ ...common, thorough });
    try {
      for (const step of steps) await step(round);
      if (thorough) thoroughAt = began;
    } finally {
      await lease.release();
    }
    return tally;
  };

  const once = async (signal: AbortSignal): Promise<number> => {
    try {
      const began = new Date();
      const tally = await pass({ signal });
      if (tally !== undefined) onFinished?.(began);
      const gone = countedKinds(tally ?? emptyTally());
      if (gone.length > 0) logger.info('retention', Object.fromEntries(gone));
      return PAUSE_MS;
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      logger.info(FAILURE, { error: messageOf(error) });
      return PAUSE_AFTER_ERROR_MS;
    }
  };

  return {
    pass,
    run: (signal) =>
      loopUntil(signal, {
        pass: once,
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: FAILURE,
        logger,
      }),
  };
}
