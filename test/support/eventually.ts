/** The first pause between two polls, what each next one is longer by, and the longest. */
const FIRST_PAUSE_MS = 5;
const GROWTH = 1.25;
const LONGEST_PAUSE_MS = 50;
/** On a machine that is not busy, a poll and its pause take less than this. */
const SLOW_POLL_MS = 2 * LONGEST_PAUSE_MS;
/** A busy machine gets this many times the limit. */
const MOST_PATIENCE = 4;

/**
 * Asks again and again until the answer is something (neither undefined, null nor false); returns it. The limit is below the
 * half minute after which the relay looks for what was lost. It counts polls as well as time: where other processes take
 * the processors, polls are slow, and so is what the test waits for.
 * @throws Error when the limit is over
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<Exclude<T, undefined | null | false>> {
  const began = Date.now();
  let pauseMs = FIRST_PAUSE_MS;
  for (let polls = 1; ; polls += 1) {
    const response = await ask();
    if (response !== undefined && response !== null && response !== false) {
      return response as Exclude<T, undefined | null | false>;
    }
    const waitedMs = Date.now() - began;
    const isOver = waitedMs > timeoutMs && polls > timeoutMs / SLOW_POLL_MS;
    if (isOver || waitedMs > timeoutMs * MOST_PATIENCE)
      throw new Error(`Nothing came of it within ${waitedMs} ms: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  }
}
