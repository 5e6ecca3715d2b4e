import { isNumeric, type Numeric } from '../../platform/json/exact-number.js';
import { dayOfMonth, dayOfWeek, dayOfYear } from '../../platform/time/calendar-day.js';
import { fromEpoch, secondsOf, sinceEpoch } from './epoch-time.js';
import { parseWrittenDate, type YearOf } from './written-date.js';
import { ZONE_PATTERN } from './zone-offsets.js';
import { type ClockTime, inZone, momentAt, utc, type ZonedTime } from './zoned-time.js';

const MAX_CHARACTERS = 100;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** A day in digits; more digits are a time of that day, as in LDAP, X.509 and logs. */
const DIGITS = /^\d{8}$|^\d{14}(?:\.\d+)?$/;
/** The week or the day of the year may stand for month and day; only years of four digits need no separators. */
const DAY =
  '(?:(?<year>\\d{4})-?(?:(?<month>\\d\\d)-?(?<day>\\d\\d)|W(?<week>\\d\\d)(?:-?(?<weekday>[1-7]))?|(?<yearDay>\\d{3})(?!\\d))' +
  '|(?<signedYear>[+-]\\d{4,6})-(?<signedMonth>\\d\\d)-(?<signedDay>\\d\\d))';
const FRACTION = '(?:[.,](?<fraction>\\d{1,24}))?';
const CLOCK = `(?<hour>\\d\\d)(?::?(?<minute>\\d\\d)(?::?(?<second>\\d\\d))?)?${FRACTION}`;
const ISO = new RegExp(`^${DAY}(?:(?:T| +)${CLOCK})?[T\\s]*(?<zone>${ZONE_PATTERN})?$`, 'i');
/** The compact form of LDAP and X.509: `20240105030405.0Z`. Fewer digits than seconds need a zone. */
const COMPACT = new RegExp(
  `^(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)${CLOCK.replaceAll(':?', '')}(?<zone>${ZONE_PATTERN})?$`,
  'i',
);
/** Dates of .NET in JSON: milliseconds, and an offset that only says how to show them. */
const DOTNET = /^\/Date\((-?\d{1,16})([+-]\d{4})?\)\/$/;
/** Java writes the name of the zone after the offset: `Z[UTC]`, `+01:00[Europe/Paris]`. */
const ZONE_IN_BRACKETS = /\s*\[([A-Za-z][\w+\-/]*)\]$/;

type Parts = Record<string, string | undefined>;

/**
 * Reads `now`, `today`, seconds since 1970 as a number or text, ISO 8601, the compact times of directories and
 * certificates, and the formats of mail headers and people. The result keeps the offset of the text; without one it is
 * UTC. A day without a year is in the current one, unless `yearOf` says otherwise. Undefined: not a time.
 */
export function parseDate(value: unknown, nowMs: number, yearOf?: YearOf): ZonedTime | undefined {
  if (isNumeric(value)) return fromEpoch(plainDigits(value));
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined;
  const text = value.trim();
  if (/^(?:now|today)$/i.test(text)) return utc(nowMs);
  if (DIGITS.test(text)) return fromParts(partsOf(text)) ?? fromEpoch(text);
  if (NUMBER.test(text)) return fromEpoch(text);
  const dotnet = DOTNET.exec(text);
  if (dotnet !== null) return fromDotnet(dotnet[1] ?? '', dotnet[2]);
  const zone = text.endsWith(']') ? ZONE_IN_BRACKETS.exec(text)?.[1] : undefined;
  const bare = zone === undefined ? text : text.replace(ZONE_IN_BRACKETS, '');
  // A text in ISO format with an invalid day (February 30th) is not valid in another format either.
  const parts = partsOf(bare);
  if (parts !== undefined) return fromParts(parts, zone);
  return zone === undefined
    ? parseWrittenDate(text, yearOf ?? (() => new Date(nowMs).getUTCFullYear()))
    : undefined;
}

/** Returns a number in digits, without an exponent. */
function plainDigits(number: Numeric): string {
  return Math.abs(Number(number)) < 1e-6 ? '0' : String(number);
}

function fromDotnet(milliseconds: string, zone: string | undefined): ZonedTime | undefined {
  const time = sinceEpoch(secondsOf(milliseconds));
  return zone === undefined ? time : time && inZone(time, zone);
}

function partsOf(text: string): Parts | undefined {
  return (ISO.exec(text) ?? COMPACT.exec(text))?.groups;
}

function fromParts(parts: Parts = {}, zoneName?: string): ZonedTime | undefined {
  const midnight = midnightIn(parts);
  const clock = clockIn(parts);
  if (midnight === undefined || clock === undefined) return undefined;
  return momentAt(midnight, { ...clock, zone: parts.zone ?? zoneName });
}

function midnightIn(parts: Parts): number | undefined {
  const { year, month, day, week, weekday = '1', yearDay, signedYear, signedMonth, signedDay } = parts;
  if (week !== undefined) return dayOfWeek(Number(year), Number(week), Number(weekday));
  if (yearDay !== undefined) return dayOfYear(Number(year), Number(yearDay));
  return dayOfMonth(Number(year ?? signedYear), Number(month ?? signedMonth), Number(day ?? signedDay));
}

/** A fraction without seconds is one of the last part: `03:04.5` is half a minute after 03:04. */
function clockIn({ hour = '0', minute, second, fraction }: Parts): ClockTime | undefined {
  const clock = { hour: Number(hour), minute: Number(minute ?? 0), second: Number(second ?? 0) };
  if (fraction === undefined || second !== undefined) return { ...clock, fraction: fraction ?? '' };
  const seconds = Number(`0.${fraction}`) * (minute === undefined ? 3_600 : 60);
  return {
    hour: clock.hour,
    minute: clock.minute + Math.floor(seconds / 60),
    second: Math.floor(seconds % 60),
    fraction: (seconds % 1).toFixed(9).slice(2).replace(/0+$/, ''),
  };
}
