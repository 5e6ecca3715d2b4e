import { createFairQueue } from '../../../platform/threads/fair-queue.js';

/** Work of one turn of the event loop: whoever comes later waits for the next one. */
const TURN_MS = 5;
/** Bounded by the jobs under way. */
const NO_BOUNDS = { ofTenant: Number.POSITIVE_INFINITY, ofAll: Number.POSITIVE_INFINITY };

/** Spreads work over turns of the event loop, so that others are served between (decision 0030). */
export interface LoopTurns {
  /** Does the work at once, or, when much was done in this turn, in a later one; tenants take turns. */
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
