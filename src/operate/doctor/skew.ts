/** Clock skew below this is ignored (rounding alone can cause one second). */
const TOLERATED_MS = 2_000;

/**
 * Compares a server's clock with that of this process; `read` asks for the server's time, in ms since 1970. Returns how far
 * it is off as a predicate (`is 12.0 s ahead`); undefined if the time that the request took explains the difference.
 */
export async function skewOf(read: () => Promise<number>, nowMs: () => number): Promise<string | undefined> {
  const before = nowMs();
  const theirs = await read();
  const after = nowMs();
  const offMs = theirs > after ? theirs - after : Math.min(0, theirs - before);
  if (Math.abs(offMs) <= TOLERATED_MS) return undefined;
  return `is ${(Math.abs(offMs) / 1000).toFixed(1)} s ${offMs > 0 ? 'ahead of' : 'behind'} this process`;
}
