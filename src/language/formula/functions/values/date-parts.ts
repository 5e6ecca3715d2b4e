import type { JsonObject } from '../../../../platform/json.js';
import { momentRead } from '../../../dates/read-time.js';
import { DAYS, MONTHS, strftime } from '../../../dates/strftime.js';
import { strptime } from '../../../dates/strptime.js';
import { isNothing, textOf } from '../../../values/values.js';
import { nanosOfSecond, wallClock, type ZonedTime } from '../../../dates/zoned-time.js';
import { spokenTime, timeFrom, timeIn, timeShowing } from './times.js';

/** Returns the parts of a time, read by a format, or without one like all times. */
export function parsedDate(value: unknown, format: unknown, zone: unknown): JsonObject {
  const zoneName = isNothing(zone) || zone === '' ? 'UTC' : textOf(zone);
  if (isNothing(format) || format === '')
    return partsOf(guessedTime(value, zone === undefined ? '' : textOf(zone)));
  const read = strptime(textOf(value).trim(), textOf(format));
  return partsOf(shownIn(momentRead(read, timeIn(timeFrom('now'), zoneName)), zoneName));
}

/** Reads a time; without a zone it keeps the offset of the text. */
function guessedTime(value: unknown, zone: string): ZonedTime {
  if (zone === '') return timeFrom(value);
  const spoken = spokenTime(value, zone);
  return spoken === undefined ? shownIn(timeFrom(value), zone) : timeIn(spoken, zone);
}

/** A time without a zone of its own is what the clocks of the zone show. */
function shownIn(time: ZonedTime, zone: string): ZonedTime {
  return time.isLocal === true ? timeShowing(time, zone) : timeIn(time, zone);
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
    // Only where it says more than the millisecond: the format has no such field.
    ...(time.nanos === 0 ? {} : { nanosecond: nanosOfSecond(time) }),
    timezone: time.zoneName === '' ? null : time.zoneName,
    utc_offset: strftime(time, '%:z'),
    utc_offset_seconds: time.offsetSeconds,
  };
}
