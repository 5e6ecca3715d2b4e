/** A day: whoever asks for longer does not want the request. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** How long the header `Retry-After` asks to wait: seconds or an HTTP date. Undefined for neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_MS);
}
