import { millisecondsOf, parseWrittenDate, type YearOf } from './written-date.js';
import { momentOf, utc, type ZonedTime } from './zoned-time.js';

const MAX_CHARACTERS = 100;
/** Larger numbers are milliseconds: as seconds they would be the year 5138. */
const SMALLEST_MILLISECONDS = 1e11;
const LARGEST_EPOCH_MS = 8.64e15;

const ISO =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]+(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?[T\s]*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Reads `now`, `today`, seconds since 1970 as a number or text, ISO 8601, and the formats of mail headers and people.
 * The result keeps the offset of the text; without one it is UTC. A day without a year is in the current one, unless
 * `yearOf` says otherwise. Undefined: not a time.
 */
export function parseDate(value: unknown, nowMs: number, yearOf?: YearOf): ZonedTime | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined;
  const text = value.trim();
  if (/^(?:now|today)$/i.test(text)) return utc(nowMs);
  if (/^-?\d+(?:\.\d+)?$/.test(text) && !/^\d{8}$/.test(text)) return fromEpoch(Number(text));
  // A text in ISO format with an invalid day (February 30th) is not valid in another format either.
  if (ISO.test(text)) return fromIso(text);
  return parseWrittenDate(text, yearOf ?? (() => new Date(nowMs).getUTCFullYear()));
}

function fromEpoch(given: number): ZonedTime | undefined {
  const epochMs = Math.abs(given) >= SMALLEST_MILLISECONDS ? given : given * 1000;
  return Number.isFinite(epochMs) && Math.abs(epochMs) <= LARGEST_EPOCH_MS
    ? utc(Math.floor(epochMs))
    : undefined;
}

function fromIso(text: string): ZonedTime | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] =
    ISO.exec(text) ?? [];
  return momentOf({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    milliseconds: millisecondsOf(fraction),
    zone,
  });
}
