import { setImmediate as turn } from 'node:timers/promises';

/** Time after which rounds yield to the event loop, which no round does by itself. */
const TURN_EVERY_MS = 50;

/** Returns the function that work in many rounds awaits before each round. */
export function createTurns(): () => Promise<void> {
  let turnedAt = 0;
  return async () => {
    if (performance.now() - turnedAt < TURN_EVERY_MS) return;
    await turn();
    turnedAt = performance.now();
  };
}
