/** One day: a server that asks for a longer pause does not want the request. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Returns the pause in milliseconds that `Retry-After` asks for, in seconds or as an HTTP date; otherwise undefined. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_MS);
}
