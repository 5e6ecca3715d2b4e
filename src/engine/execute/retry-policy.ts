const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60 * 60_000;

/**
 * Returns the delay before the next attempt, in ms: doubling from a second to an hour, its upper half random, so that
 * deliveries that failed together are not retried together.
 * @param attempts attempts made so far, this one included
 */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 30));
  return Math.round(full / 2 + (random() * full) / 2);
}
