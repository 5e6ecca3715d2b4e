const POLL_MS = 10;

/**
 * Asks again and again until the answer is something (neither undefined, null nor false); gives it. The limit is for a busy
 * machine: it is below the half minute after which the relay looks for what was lost.
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) {
      return answer as Exclude<T, undefined | null | false>;
    }
    if (Date.now() > deadline)
      throw new Error(`Nothing came of it within ${timeoutMs} ms: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
