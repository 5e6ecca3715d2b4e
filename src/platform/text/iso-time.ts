const DATE = String.raw`(\d{4})-?(\d\d)-?(\d\d)`;
const CLOCK = String.raw`(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?`;
/** A space counts as `+`: an unescaped `+` in a URL is decoded as one. */
const OFFSET = String.raw`(?:([Zz])|([+\- ])(\d\d)(?::?(\d\d))?)`;
const ISO_TIME = new RegExp(`^${DATE}(?:[Tt ]${CLOCK}${OFFSET}?)?$`);

/** The other date formats of ISO 8601: `2026-W47-6` (week and weekday) and `2026-325` (day of the year). */
const OTHER_DAY = /^(\d{4})-?(?:W(\d\d)-?([1-7])|(\d{3}))(?=[Tt ]|$)/;
const DAY_MS = 86_400_000;

/** The range of years with four digits. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z');
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the time of an ISO 8601 text with offset, `Z`, or none (UTC; spec §1.6). Undefined for another text and for
 * days that do not exist (`2026-02-30`). Digits below a millisecond are cut off.
 */
export function parseIsoTime(text: string): Date | undefined {
  const match = ISO_TIME.exec(withCalendarDay(text.trim()));
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offsetMs = offsetOf(match);
  if (offsetMs === undefined) return undefined;
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  time.setUTCHours(hour, minute, second, milliseconds);
  const ms = time.getTime() - offsetMs;
  return ms < EARLIEST_MS || ms > LATEST_MS ? undefined : new Date(ms);
}

/** Returns the text with its date as year, month and day; unchanged if it has no other format, or an invalid day. */
function withCalendarDay(text: string): string {
  const [other, year, week, weekday, dayOfYear] = OTHER_DAY.exec(text) ?? [];
  if (other === undefined) return text;
  const day =
    week === undefined
      ? dayOfTheYear(Number(year), Number(dayOfYear))
      : dayOfWeek(Number(year), Number(week), Number(weekday));
  return day === undefined ? text : day.toISOString().slice(0, 10) + text.slice(other.length);
}

function dayOfTheYear(year: number, number: number): Date | undefined {
  const day = new Date(0);
  day.setUTCFullYear(year, 0, number);
  return day.getUTCFullYear() === year ? day : undefined;
}

/** Week 1 contains 4 January; a week belongs to the year of its Thursday. Weekday 1 is Monday. */
function dayOfWeek(year: number, week: number, weekday: number): Date | undefined {
  const fourth = new Date(0);
  fourth.setUTCFullYear(year, 0, 4);
  const mondayMs = fourth.getTime() + ((week - 1) * 7 - ((fourth.getUTCDay() + 6) % 7)) * DAY_MS;
  if (new Date(mondayMs + 3 * DAY_MS).getUTCFullYear() !== year) return undefined;
  return new Date(mondayMs + (weekday - 1) * DAY_MS);
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function offsetOf(match: RegExpExecArray): number | undefined {
  const [sign, hours = '0', minutes = '0'] = match.slice(9, 12);
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -ms : ms;
}
