/** Returns a delay in seconds that triples with each attempt, with some randomness, so that retries spread out. */
export function backoffSeconds(attempts: number, { first, most }: { first: number; most: number }): number {
  const delay = Math.min(most, first * 3 ** attempts);
  return Math.ceil(delay * (0.75 + Math.random() / 4));
}
