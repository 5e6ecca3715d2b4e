import type { JsonObject } from '../../../json.js';
import { wallClock } from '../../calendar.js';
import { DAYS, MONTHS, strftime } from '../../strftime.js';
import { type ReadTime, strptime } from '../../strptime.js';
import { TemplateError } from '../../template.js';
import { isNothing, textOf } from '../../values.js';
import { utc, type ZonedTime } from '../../zoned-time.js';
import { atWallClock, spokenTime, timeFrom, timeIn } from './times.js';

/** Numbers, `now`, and texts with an offset are the same moment in every zone. */
const OWN_ZONE =
  /^(?:now|today|-?\d+(?:\.\d+)?)$|[\d\s](?:Z|UTC|GMT|[ECMP][SD]T)$|:\d\d(?:[.,]\d+)?\s*[+-]\d\d(?::?\d\d)?$/i;

/** The parts of a time that was read by a format, or without one as all times are. */
export function parsedDate(value: unknown, format: unknown, zone: unknown): JsonObject {
  const zoneName = isNothing(zone) || zone === '' ? 'UTC' : textOf(zone);
  if (isNothing(format) || format === '')
    return partsOf(guessedTime(value, zone === undefined ? '' : textOf(zone)));
  const read = strptime(textOf(value).trim(), textOf(format));
  return partsOf(timeOf(read, zoneName));
}

/** Without a zone a time keeps the offset it is written with. */
function guessedTime(value: unknown, zone: string): ZonedTime {
  if (zone === '') return timeFrom(value);
  const spoken = spokenTime(value, zone);
  if (spoken !== undefined) return timeIn(spoken, zone);
  const time = timeFrom(value);
  const isFixed = typeof value !== 'string' || OWN_ZONE.test(value.trim());
  return isFixed ? timeIn(time, zone) : atWallClock(time.epochMs, zone);
}

function timeOf(read: ReadTime, zone: string): ZonedTime {
  const { epochMs, offsetMinutes } = read;
  if (epochMs !== undefined) return timeIn(utc(epochMs), zone);
  const wall = wallTime(read, zone);
  if (offsetMinutes === undefined) return atWallClock(wall, zone);
  return timeIn(utc(wall - offsetMinutes * 60_000), zone);
}

/** What the format did not name is that of today down to the first part it named, and the first moment after. */
function wallTime(read: ReadTime, zone: string): number {
  const today = wallClock(timeIn(timeFrom('now'), zone));
  const [year, month, day] = [
    read.year ?? today.getUTCFullYear(),
    read.month ?? (read.year === undefined && read.dayOfYear === undefined ? today.getUTCMonth() + 1 : 1),
    read.day ?? (isDateless(read) ? today.getUTCDate() : (read.dayOfYear ?? 1)),
  ];
  const date = new Date(0).setUTCFullYear(year, month - 1, day);
  const [hour, minute, second] = [hourOf(read), read.minute ?? 0, read.second ?? 0];
  const isReal =
    (read.dayOfYear !== undefined || new Date(date).getUTCDate() === day) &&
    month >= 1 &&
    month <= 12 &&
    hour <= 24 &&
    minute < 60 &&
    second <= 60;
  if (!isReal) throw new TemplateError('there is no such day or time of the day');
  return date + ((hour * 60 + minute) * 60 + second) * 1_000 + (read.millisecond ?? 0);
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
