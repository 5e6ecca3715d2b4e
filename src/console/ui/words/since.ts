import { LOCALE } from '../../text/locale.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });

/** Returns how long ago a time was: `just now`, `5 min ago`, `3 h ago`, `2 d ago`; a date beyond 30 days. Both in ms. */
export function sinceWords(at: number, now: number): string {
  const ago = now - at;
  if (ago < -MINUTE) return `in ${spanWords(-ago)}`;
  if (ago < MINUTE) return ago < 0 ? 'now' : 'just now';
  return ago > 30 * DAY ? date.format(at) : `${spanWords(ago)} ago`;
}

/** Returns a span of milliseconds in its largest unit: `12 ms`, `1.4 s`, `5 min`, `3 h`, `2 d`. */
export function spanWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.round(ms / 1_000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}
