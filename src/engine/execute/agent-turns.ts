import { setImmediate as turn } from 'node:timers/promises';

/** How long rounds go on before others get their turn: rendering does not let them in by itself. */
const TURN_EVERY_MS = 50;

/** Makes what an action that runs many times awaits before each round. */
export function createTurns(): () => Promise<void> {
  let turnedAt = 0;
  return async () => {
    if (performance.now() - turnedAt < TURN_EVERY_MS) return;
    await turn();
    turnedAt = performance.now();
  };
}
