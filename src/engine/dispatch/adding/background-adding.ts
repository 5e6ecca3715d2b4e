import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { JobRef } from '../../state/deliveries/delivery-job.js';

/** Most jobs that wait to be added, or to be added again. */
const MAX_WAITING = 50_000;
const LOG_EVERY_MS = 5_000;
/** Pause before jobs that Redis did not take are added again. Their ids are the same: a job that is there stays alone. */
const AGAIN_AFTER_MS = 500;
/** Jobs are added again for this long. Then the relay is about to look for them, and gives them another generation. */
const ADD_AGAIN_FOR_MS = 20_000;

/** Adds jobs while their caller goes on. */
export interface BackgroundAdding {
  /**
   * Adds the jobs in the background. Never fails: jobs that Redis does not take are added again for 20 s; after that, or if
   * too many wait, the relay adds them (rules 7 and 11).
   */
  dispatch(jobs: JobRef[]): void;
  /** Resolves when no jobs wait to be added. Jobs that Redis does not take now are left to the relay. */
  drain(): Promise<void>;
}

/** Jobs that were dispatched together, and when, by `performance.now()`. */
interface Batch {
  jobs: JobRef[];
  since: number;
}

/** Adds with `add`, which rejects if a store fails, and which may be repeated. */
export function createBackgroundAdding(
  add: (jobs: JobRef[]) => Promise<void>,
  logger: Logger,
): BackgroundAdding {
  const failed = createFailedBatches(logger);
  let waiting: Batch[] = [];
  let isDraining = false;
  let running: Promise<void> | undefined;

  const run = async () => {
    while (waiting.length > 0) {
      const batches = waiting;
      waiting = [];
      await add(batches.flatMap(({ jobs }) => jobs)).catch((error: unknown) =>
        failed.keep(batches, { reason: messageOf(error), addAgain: isDraining ? undefined : addAgain }),
      );
    }
    running = undefined;
  };
  const addAgain = () => {
    waiting = [...failed.take(), ...waiting];
    running ??= run();
  };

  return {
    dispatch(jobs) {
      if (jobs.length === 0) return;
      if (jobsIn(waiting) + failed.size() + jobs.length > MAX_WAITING)
        return failed.leave('too many jobs are waiting to be added', jobs.length);
      waiting.push({ jobs, since: performance.now() });
      running ??= run();
    },
    async drain() {
      isDraining = true;
      addAgain();
      await running;
      isDraining = false;
    },
  };
}

/** Keeps the batches that Redis did not take. */
function createFailedBatches(logger: Logger) {
  let failed: Batch[] = [];
  let timer: NodeJS.Timeout | undefined;
  const telling = (message: string) =>
    everyNowAndThen((error: string, jobs: number) => logger.warn(message, { jobs, error }));
  const leave = telling('jobs left to the relay');
  const delay = telling('jobs were not added; retrying');
  return {
    size: () => jobsIn(failed),
    /** Tells that jobs are the relay's now. */
    leave,
    /** Keeps the younger ones, and calls `addAgain` soon; without it, all are left to the relay. */
    keep(batches: Batch[], { reason, addAgain }: { reason: string; addAgain: (() => void) | undefined }) {
      const now = performance.now();
      const isYoung = ({ since }: Batch) => addAgain !== undefined && now - since < ADD_AGAIN_FOR_MS;
      const old = jobsIn(batches.filter((batch) => !isYoung(batch)));
      if (old > 0) leave(reason, old);
      const young = batches.filter(isYoung);
      if (young.length === 0 || addAgain === undefined) return;
      delay(reason, jobsIn(young));
      failed.push(...young);
      timer ??= setTimeout(addAgain, AGAIN_AFTER_MS).unref();
    },
    /** Returns the batches that are kept; they are the caller's now. */
    take(): Batch[] {
      clearTimeout(timer);
      timer = undefined;
      const taken = failed;
      failed = [];
      return taken;
    },
  };
}

function jobsIn(batches: Batch[]): number {
  return batches.reduce((sum, { jobs }) => sum + jobs.length, 0);
}

/** Returns a function that passes on at most one call per `LOG_EVERY_MS`. */
function everyNowAndThen<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
  let quietUntil = 0;
  return (...args) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + LOG_EVERY_MS;
    call(...args);
  };
}
