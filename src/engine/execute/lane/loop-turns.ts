import { createFairQueue } from '../../../platform/threads/fair-queue.js';

/** Most work in one turn of the event loop; further work waits for the next turn. */
const TURN_MS = 5;
/** The number of running jobs is the bound. */
const NO_BOUNDS = { ofTenant: Number.POSITIVE_INFINITY, ofAll: Number.POSITIVE_INFINITY };

/** Spreads work over turns of the event loop, so that other callbacks run in between (decision 0030). */
export interface LoopTurns {
  /** Runs the work at once, or in a later turn if this one is used up; waiting tenants are served round-robin. */
  run<T>(tenantId: number, work: () => T): T | Promise<T>;
}

interface Waiting {
  tenantId: number;
  start(): void;
}

export function createLoopTurns(): LoopTurns {
  const waiting = createFairQueue<Waiting>(NO_BOUNDS);
  let waitingCount = 0;
  let usedMs = 0;
  let isArmed = false;

  const arm = () => {
    if (isArmed) return;
    isArmed = true;
    setImmediate(nextTurn);
  };

  const now = <T>(work: () => T): T => {
    const began = performance.now();
    try {
      return work();
    } finally {
      usedMs += performance.now() - began;
      if (usedMs >= TURN_MS) arm();
    }
  };

  const nextTurn = () => {
    isArmed = false;
    usedMs = 0;
    while (waitingCount > 0) {
      if (usedMs >= TURN_MS) return arm();
      waitingCount -= 1;
      waiting.take(() => true)?.start();
    }
    return undefined;
  };

  return {
    run(tenantId, work) {
      if (usedMs < TURN_MS && waitingCount === 0) return now(work);
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
