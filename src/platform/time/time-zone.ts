import { LRUCache } from 'lru-cache';

/** Creating a format is slow, using it is not. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** Names only: an offset such as `+01:00` has no daylight saving time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;
const DAY_MS = 86_400_000;

/** Whether this is the IANA name of a time zone, in any letter case. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false; // `Intl` throws for an unknown name
  }
}

/** Returns the zone's offset from UTC at this moment, in ms (positive east of UTC). @throws RangeError for an unknown zone */
export function offsetMs(timezone: string, atMs: number): number {
  const text = formatOf(timezone).format(atMs);
  const [matched, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(text) ?? [];
  if (matched === undefined) throw new RangeError(`The offset of ${timezone} cannot be read from "${text}"`);
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

export type Offsets = [before: number, later: number];

/** Returns the zone's offsets a day before and a day after; they differ if the clocks change in between. */
export function offsetsAround(timezone: string, atMs: number): Offsets {
  return [offsetMs(timezone, atMs - DAY_MS), offsetMs(timezone, atMs + DAY_MS)];
}

/**
 * Returns the moments at which the zone's clocks show a local time, earliest first: one, two or none. `wallMs` is the
 * local time encoded as if it were UTC, in ms.
 */
export function momentsShowing(timezone: string, wallMs: number, offsets: Offsets): number[] {
  return [...new Set(offsets)]
    .filter((offset) => offsetMs(timezone, wallMs - offset) === offset)
    .map((offset) => wallMs - offset)
    .toSorted((a, b) => a - b);
}

/**
 * Returns the moment of a local time. If a clock change repeats the time, its first occurrence counts; if a clock change
 * skips it, it is later by the skipped duration. @throws RangeError for an unknown zone, or a time out of range
 */
export function momentShowing(timezone: string, wallMs: number): number {
  const offsets = offsetsAround(timezone, wallMs);
  return momentsShowing(timezone, wallMs, offsets)[0] ?? wallMs - offsets[0];
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  formats.set(timezone, format);
  return format;
}
