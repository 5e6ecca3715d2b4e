/** Returns the pause before the next attempt to connect, in ms; `times`: attempts that failed so far. */
export function reconnectDelayMs(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 6), 2_000);
}
