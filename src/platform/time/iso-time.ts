import { dayOfMonth, dayOfWeek, dayOfYear } from './calendar-day.js';

/** A day of ISO 8601: `2026-11-21`, `2026-W47-6` (week and weekday) or `2026-325` (day of the year). */
const DAY = String.raw`(?<year>\d{4})-?(?:(?<month>\d\d)-?(?<day>\d\d)|W(?<week>\d\d)-?(?<weekday>[1-7])|(?<yearDay>\d{3}))`;
const CLOCK = String.raw`(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<fraction>\d{1,24}))?)?)?`;
/** A space counts as `+`: an unescaped `+` in a URL is decoded as one. */
const OFFSET = String.raw`(?:[Zz]|(?<sign>[+\- ])(?<hours>\d\d)(?::?(?<minutes>\d\d))?)`;
const ISO_TIME = new RegExp(`^${DAY}(?:[Tt ]${CLOCK}${OFFSET}?)?$`);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The range of years with four digits. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z');
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

type Parts = Record<string, string | undefined>;

/**
 * Returns the time of an ISO 8601 text with offset, `Z`, or none (UTC; spec §1.6). Undefined for another text and for
 * days that do not exist (`2026-02-30`). `24:00` is the end of the day; a leap second (`23:59:60` in UTC) is the second
 * after it, as in Unix time. Digits below a millisecond are cut off.
 */
export function parseIsoTime(text: string): Date | undefined {
  const parts: Parts | undefined = ISO_TIME.exec(text.trim())?.groups;
  if (parts === undefined) return undefined;
  const [midnight, clock, offset] = [midnightIn(parts), clockIn(parts), offsetIn(parts)];
  if (midnight === undefined || clock === undefined || offset === undefined) return undefined;
  const ms = midnight + clock - offset;
  if (parts.second === '60' && !followsLeapSecond(ms)) return undefined;
  return ms < EARLIEST_MS || ms > LATEST_MS ? undefined : new Date(ms);
}

function midnightIn({ year, month, day, week, weekday, yearDay }: Parts): number | undefined {
  if (yearDay !== undefined) return dayOfYear(Number(year), Number(yearDay));
  return week === undefined
    ? dayOfMonth(Number(year), Number(month), Number(day))
    : dayOfWeek(Number(year), Number(week), Number(weekday));
}

/** Returns the time of the day in ms. */
function clockIn({ hour = '0', minute = '0', second = '0', fraction = '' }: Parts): number | undefined {
  if (Number(minute) > 59 || Number(second) > 60) return undefined;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const ms = (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Number(second) * 1000 + milliseconds;
  return Number(hour) < 24 || (ms === DAY_MS && Number(fraction) === 0) ? ms : undefined;
}

function followsLeapSecond(ms: number): boolean {
  return ((ms % DAY_MS) + DAY_MS) % DAY_MS < 1000;
}

function offsetIn({ sign, hours = '0', minutes = '0' }: Parts): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === '-' ? -ms : ms;
}
