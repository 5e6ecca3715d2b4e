import { setImmediate as turn } from 'node:timers/promises';

/** Time after which a long task yields to the event loop, in ms. */
const YIELD_EVERY_MS = 50;

/** Returns the function that a long task awaits before each of its steps. */
export function createLoopYield(): () => Promise<void> {
  let yieldedAt = 0;
  return async () => {
    if (performance.now() - yieldedAt < YIELD_EVERY_MS) return;
    await turn();
    yieldedAt = performance.now();
  };
}
