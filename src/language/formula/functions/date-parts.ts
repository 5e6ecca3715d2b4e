import type { JsonObject } from '../../../platform/json.js';
import { wallClock } from '../../dates/calendar.js';
import { DAYS, MONTHS, strftime } from '../../dates/strftime.js';
import { type ReadTime, strptime } from '../../dates/strptime.js';
import { TemplateError } from '../../template-error.js';
import { isNothing, textOf } from '../../values/values.js';
import { hasZone } from '../../dates/written-date.js';
import { utc, type ZonedTime } from '../../dates/zoned-time.js';
import { atWallClock, spokenTime, timeFrom, timeIn } from './times.js';

/** Values that are the same moment in every zone: numbers (but eight digits are a day), `now`, texts with an offset. */
const OWN_ZONE =
  /^(?:now|today|(?!\d{8}$)-?\d+(?:\.\d+)?)$|[\d\s](?:Z|UTC?|GMT|[ECMP][SD]T)$|[+-]\d\d:\d\d$|\d[T ]+\d{4,6}(?:[.,]\d+)?[T\s]*[+-]\d\d(?:\d\d)?$/i;

/** Returns the parts of a time, read by a format, or without one like all times. */
export function parsedDate(value: unknown, format: unknown, zone: unknown): JsonObject {
  const zoneName = isNothing(zone) || zone === '' ? 'UTC' : textOf(zone);
  if (isNothing(format) || format === '')
    return partsOf(guessedTime(value, zone === undefined ? '' : textOf(zone)));
  const read = strptime(textOf(value).trim(), textOf(format));
  return partsOf(timeOf(read, zoneName));
}

/** Reads a time; without a zone it keeps the offset of the text. */
function guessedTime(value: unknown, zone: string): ZonedTime {
  if (zone === '') return timeFrom(value);
  const spoken = spokenTime(value, zone);
  if (spoken !== undefined) return timeIn(spoken, zone);
  const time = timeFrom(value);
  const isFixed = typeof value !== 'string' || OWN_ZONE.test(value.trim()) || hasZone(value.trim());
  return isFixed ? timeIn(time, zone) : atWallClock(time.epochMs, zone);
}

function timeOf(read: ReadTime, zone: string): ZonedTime {
  const { epochMs, offsetMinutes } = read;
  if (epochMs !== undefined) return timeIn(utc(epochMs), zone);
  const wall = wallTime(read, zone);
  if (offsetMinutes === undefined) return atWallClock(wall, zone);
  return timeIn(utc(wall - offsetMinutes * 60_000), zone);
}

/** Fills in missing fields: those larger than the first field read are today's, the others their minimum. */
function wallTime(read: ReadTime, zone: string): number {
  const today = wallClock(timeIn(timeFrom('now'), zone));
  const [year, month, day] = [
    read.year ?? today.getUTCFullYear(),
    read.month ?? (read.year === undefined && read.dayOfYear === undefined ? today.getUTCMonth() + 1 : 1),
    read.day ?? (isDateless(read) ? today.getUTCDate() : (read.dayOfYear ?? 1)),
  ];
  const date = new Date(0).setUTCFullYear(year, month - 1, day);
  const shown = new Date(date);
  const isDay =
    month >= 1 &&
    month <= 12 &&
    (shown.getUTCDate() === day || isDayOfYear(read, shown.getUTCFullYear() === year));
  if (!isDay || !isTimeOfDay(read)) throw new TemplateError('there is no such day or time of the day');
  const minutes = hourOf(read) * 60 + (read.minute ?? 0);
  return date + (minutes * 60 + (read.second ?? 0)) * 1_000 + (read.millisecond ?? 0);
}

/** Returns true if the day of the year is valid: from 1 to the last day of that year. */
function isDayOfYear({ day, dayOfYear = 0 }: ReadTime, isSameYear: boolean): boolean {
  return day === undefined && dayOfYear >= 1 && isSameYear;
}

/** 24:00 is the end of a day, a 12-hour clock starts at 12, and a minute may have a leap second. */
function isTimeOfDay(read: ReadTime): boolean {
  const { hour12 = 12, minute = 0, second = 0, millisecond = 0 } = read;
  const hour = hourOf(read);
  const isHour = hour < 24 || (hour === 24 && minute + second + millisecond === 0);
  return isHour && hour12 >= 1 && hour12 <= 12 && minute < 60 && second <= 60;
}

function isDateless({ year, month, dayOfYear }: ReadTime): boolean {
  return year === undefined && month === undefined && dayOfYear === undefined;
}

function hourOf({ hour, hour12, isAfternoon }: ReadTime): number {
  if (hour12 === undefined) return (hour ?? 0) + (isAfternoon === true && (hour ?? 0) < 12 ? 12 : 0);
  return (hour12 % 12) + (isAfternoon === true ? 12 : 0);
}

function partsOf(time: ZonedTime): JsonObject {
  const clock = wallClock(time);
  const [month, weekday] = [clock.getUTCMonth(), clock.getUTCDay()];
  return {
    iso8601: strftime(time, '%Y-%m-%dT%H:%M:%S%:z'),
    iso8601_milliseconds: strftime(time, '%Y-%m-%dT%H:%M:%S.%L%:z'),
    unix_timestamp: Math.floor(time.epochMs / 1_000),
    unix_timestamp_milliseconds: time.epochMs,
    year: clock.getUTCFullYear(),
    month: month + 1,
    month_name: MONTHS[month] ?? '',
    day: clock.getUTCDate(),
    day_of_week: weekday,
    day_name: DAYS[weekday] ?? '',
    hour: clock.getUTCHours(),
    minute: clock.getUTCMinutes(),
    second: clock.getUTCSeconds(),
    millisecond: clock.getUTCMilliseconds(),
    timezone: time.zoneName === '' ? null : time.zoneName,
    utc_offset: strftime(time, '%:z'),
    utc_offset_seconds: time.offsetMinutes * 60,
  };
}
