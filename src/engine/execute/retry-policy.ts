const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60 * 60_000;

/** By how much each delay is longer than the one before. A greylist or a restart of a mail server takes a quarter of an hour. */
const GROWTH = { usual: 2, mail: 3 };

/**
 * Returns the delay before the next attempt, in ms: from a second to an hour, its upper half random, so that deliveries that
 * failed together are not retried together. It doubles; of mails it triples, so that ten attempts last an hour or two.
 * @param attempts attempts made so far, this one included
 */
export function attemptDelayMs(
  attempts: number,
  random: () => number = Math.random,
  kind: keyof typeof GROWTH = 'usual',
): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * GROWTH[kind] ** Math.min(attempts - 1, 30));
  return Math.round(full / 2 + (random() * full) / 2);
}
