import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/mysql/database.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import { countedKinds, emptyTally, type RetentionTally } from './retention-kind.js';
import { LEASE_SECONDS, releaseLease, takeLease } from './retention-lease-store.js';
import { createRetentionPace } from './retention-pace.js';
import { createRetentionRound } from './retention-round.js';
import { createRetentionSteps, type RetentionPeriods } from './retention-steps.js';

const PAUSE_MS = 60_000;
const PAUSE_AFTER_ERROR_MS = 10_000;
const FAILURE = 'retention could not finish a pass';
/** What was kept when it was due, and what is left of others, is looked at this often. */
const THOROUGH_EVERY_MS = 15 * 60_000;

/** Another process took over in the middle of a pass: this one was stopped for longer than its lease. */
class LeaseLost extends Error {}

export interface RetentionDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  periods: RetentionPeriods;
  logger: Logger;
}

export interface PassOptions {
  /** A first pass always is; see `RetentionRound`. */
  thorough?: boolean;
  /** Nothing is deleted, only counted: what would go now, not what hangs on it. */
  countOnly?: boolean;
  /** Told what has gone so far. */
  onProgress?(tally: RetentionTally): void;
  /** Ends the pass after the batch under way: its reason is thrown. */
  signal?: AbortSignal;
}

/** Deletes what is past its time (spec §5.6), in small transactions, one process at a time. */
export interface Retention {
  /** Goes over everything once, until nothing is due; undefined when another process is at it. */
  pass(options?: PassOptions): Promise<RetentionTally | undefined>;
  /** One pass after the other until `signal` ends. */
  run(signal: AbortSignal): Promise<void>;
}

export function createRetention({ database, periods, logger }: RetentionDeps): Retention {
  const owner = randomBytes(8).toString('hex');
  const steps = createRetentionSteps(periods);
  const pace = createRetentionPace();
  let thoroughAt = Number.NEGATIVE_INFINITY;

  const pass: Retention['pass'] = async (options = {}) => {
    const { countOnly = false, signal = new AbortController().signal } = options;
    const lease = countOnly ? NO_LEASE : createLease(database, owner);
    if (!(await lease.take())) return undefined;
    const began = performance.now();
    const thorough = options.thorough === true || began - thoroughAt >= THOROUGH_EVERY_MS;
    const tally = emptyTally();
    const onProgress = () => options.onProgress?.(tally);
    const keepLease = () => lease.keep();
    const common = { database, pace, tally, keepLease, onProgress, signal, countOnly };
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
      const gone = countedKinds((await pass({ signal })) ?? emptyTally());
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

interface Lease {
  take(): Promise<boolean>;
  /** Renews it when a part of its time is over. @throws LeaseLost */
  keep(): Promise<void>;
  release(): Promise<void>;
}

/** Who only counts is in nobody's way. */
const NO_LEASE: Lease = {
  take: () => Promise.resolve(true),
  keep: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

/**
 * A row with a time, not a lock of the server's: such a lock belongs to one connection, which a pool would have to set
 * aside and keep awake for the whole pass. Two at once, after a process was frozen, do no harm: every batch asks again.
 */
function createLease(database: Pick<Database, 'read'>, owner: string): Lease {
  let takenAt = 0;
  const take = async () => {
    const at = performance.now();
    const taken = await database.read((session) => takeLease(session, owner));
    if (taken) takenAt = at;
    return taken;
  };
  return {
    take,
    async keep() {
      if (performance.now() - takenAt < (LEASE_SECONDS * 1000) / 4) return;
      if (!(await take())) throw new LeaseLost('Another process has taken over');
    },
    release: () => database.read((session) => releaseLease(session, owner)),
  };
}
