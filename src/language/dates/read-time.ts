import { dayOfMonth, dayOfWeek, dayOfYear, midnightOf } from '../../platform/time/calendar-day.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { sinceEpoch } from './epoch-time.js';
import type { ReadTime } from './strptime.js';
import { laterByMs, momentAt, wallClock, type ZonedTime } from './zoned-time.js';

const DAY_MS = 86_400_000;

/**
 * Returns the moment that a format has read. Missing fields that are larger than the first one read are those of `today`,
 * the others are their minimum. The result is local if the text had no zone.
 * @throws TemplateError for a day or a time of the day that does not exist, and for a time out of range.
 */
export function momentRead(read: ReadTime, today: ZonedTime): ZonedTime {
  const { epoch, fraction = '', offsetSeconds } = read;
  if (epoch !== undefined) {
    const moment = sinceEpoch(epoch.includes('.') ? epoch : `${epoch}.${fraction}0`);
    if (moment === undefined) throw new TemplateError('the time is out of range');
    return moment;
  }
  const time = existing(momentAt(dayRead(read, today), clockRead(read)));
  if (offsetSeconds === undefined) return time;
  return { ...existing(laterByMs(time, -offsetSeconds * 1_000)), isLocal: false };
}

function clockRead({ hour, isAfternoon, minute, second, fraction }: ReadTime) {
  const hours =
    isAfternoon === undefined || hour === undefined || hour > 12
      ? (hour ?? 0)
      : (hour % 12) + (isAfternoon ? 12 : 0);
  return { hour: hours, minute: minute ?? 0, second: second ?? 0, fraction: fraction ?? '' };
}

function dayRead(read: ReadTime, today: ZonedTime): number {
  const now = wallClock(today);
  const { month, day, dayOfYear: yearDay, weekday, week, sundayWeek, mondayWeek } = read;
  const written = yearRead(read);
  const year = written ?? now.getUTCFullYear();
  const isDay = month !== undefined || day !== undefined;
  if (yearDay !== undefined && !isDay) return existing(dayOfYear(year, yearDay));
  if (week !== undefined && !isDay) {
    return existing(dayOfWeek(read.weekYear ?? year, week, (weekday ?? 1) || 7));
  }
  if (sundayWeek !== undefined && !isDay) return inYear(year, sundayWeek, weekday ?? 0);
  // Weeks from Monday count their days from there too.
  if (mondayWeek !== undefined && !isDay) return inYear(year, mondayWeek, ((weekday ?? 1) + 6) % 7, 1);
  // As Ruby completes it: a weekday without a day is that of this week, which begins on Sunday.
  const isOnlyWeekday = weekday !== undefined && written === undefined && !isDay;
  if (isOnlyWeekday) return midnightOf(year, now.getUTCMonth(), now.getUTCDate() - now.getUTCDay() + weekday);
  const thisMonth = written === undefined && month === undefined;
  return existing(
    dayOfMonth(
      year,
      month ?? (thisMonth ? now.getUTCMonth() + 1 : 1),
      day ?? (thisMonth ? now.getUTCDate() : 1),
    ),
  );
}

/** Returns a day of a week of the calendar year: week 1 begins with its first Sunday, or Monday if `first` is 1. */
function inYear(year: number, week: number, daysLater: number, first = 0): number {
  const start = midnightOf(year, 0, 1);
  const untilFirst = (7 + first - new Date(start).getUTCDay()) % 7;
  const day = start + (untilFirst + (week - 1) * 7 + daysLater) * DAY_MS;
  return existing(new Date(day).getUTCFullYear() === year && week <= 53 ? day : undefined);
}

function yearRead({ year, century, yearOfCentury }: ReadTime): number | undefined {
  if (year !== undefined) return year;
  if (yearOfCentury === undefined) return century === undefined ? undefined : century * 100;
  if (century !== undefined) return century * 100 + yearOfCentury;
  return yearOfCentury + (yearOfCentury < 69 ? 2000 : 1900);
}

function existing<T>(time: T | undefined): T {
  if (time !== undefined) return time;
  throw new TemplateError('there is no such date or time of day');
}
