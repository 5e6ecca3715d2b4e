import { createFairQueue } from '../../../platform/threads/fair-queue.js';

/** Longest slice of work in one pass of the event loop, in ms; further work waits for the next pass. */
const SLICE_MS = 5;
/** The number of running jobs is the bound. */
const NO_BOUNDS = { ofTenant: Number.POSITIVE_INFINITY, ofAll: Number.POSITIVE_INFINITY };

/** Spreads work over passes of the event loop, so that other callbacks run in between (decision 0030). */
export interface LoopSlices {
  /** Runs the work at once, or in a later pass if the slice of this one is used up; waiting tenants are served round-robin. */
  run<T>(tenantId: number, work: () => T): T | Promise<T>;
}

interface Waiting {
  tenantId: number;
  start(): void;
}

export function createLoopSlices(): LoopSlices {
  const waiting = createFairQueue<Waiting>(NO_BOUNDS);
  let waitingCount = 0;
  let usedMs = 0;
  let isArmed = false;

  const arm = () => {
    if (isArmed) return;
    isArmed = true;
    setImmediate(nextSlice);
  };

  const now = <T>(work: () => T): T => {
    const began = performance.now();
    try {
      return work();
    } finally {
      usedMs += performance.now() - began;
      if (usedMs >= SLICE_MS) arm();
    }
  };

  const nextSlice = () => {
    isArmed = false;
    usedMs = 0;
    while (waitingCount > 0) {
      if (usedMs >= SLICE_MS) return arm();
      waitingCount -= 1;
      waiting.take(() => true)?.start();
    }
    return undefined;
  };

  return {
    run(tenantId, work) {
      if (usedMs < SLICE_MS && waitingCount === 0) return now(work);
      waitingCount += 1;
      return new Promise((resolve, reject) => {
        const start = () => {
          try {
            resolve(now(work));
          } catch (error) {
            reject(error);
          }
        };
        waiting.add({ tenantId, start });
        arm();
      });
    },
  };
}
