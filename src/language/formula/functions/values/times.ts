import { nowMs } from '../../../../platform/runtime/clock-and-random.js';
import { isUnit, laterBy, startOf } from '../../../dates/calendar.js';
import { type Clocks, parseSpokenDate, parseWords } from '../../../dates/spoken-date.js';
import { strftime } from '../../../dates/strftime.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isRecord, textOf } from '../../../values/values.js';
import {
  atWallClock,
  inZone,
  nanosOfSecond,
  utc,
  wallClock,
  type ZonedTime,
} from '../../../dates/zoned-time.js';

/** Reads a time, also in words (`2 days ago`), which refer to the zone; undefined: not a time. */
export function findTime(value: unknown, zone = ''): ZonedTime | undefined {
  return parseSpokenDate(momentIn(value), nowMs(), clocksOf(zone));
}

/** Reads a time in words, relative to the zone; undefined: not a time, or one in digits. */
export function spokenTime(value: unknown, zone: string): ZonedTime | undefined {
  return parseWords(value, nowMs(), clocksOf(zone));
}

function clocksOf(zone: string): Clocks | undefined {
  if (zone === '') return undefined;
  return {
    shownAt: (time) => timeIn(time, zone),
    showing: (wall) => timeShowing(wall, zone),
  };
}

/** @throws TemplateError for a value that is not a time. */
export function timeFrom(value: unknown): ZonedTime {
  const time = findTime(value);
  if (time === undefined)
    throw new TemplateError(`${JSON.stringify(textOf(value).slice(0, 50))} is not a time`);
  return time;
}

/** A result of DATE_PARSE is accepted as its moment wherever a time is. */
function momentIn(value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, 'iso8601_milliseconds')) return value;
  const { iso8601_milliseconds: text, nanosecond } = value;
  if (typeof text !== 'string' || typeof nanosecond !== 'number') return text;
  return text.replace(/\.\d{3}/, `.${String(nanosecond).padStart(9, '0')}`);
}

/**
 * Returns the moment in a zone. A name with exchanged halves (`Vancouver/America`) is accepted: real
 * stories contain such names.
 * @throws TemplateError for an unknown zone, and for a time outside its range.
 */
export function timeIn(time: ZonedTime, zone: string): ZonedTime {
  return inNamedZone(zone, (name) => inZone(time, name));
}

/** Returns the moment at which the zone's clocks show what the time shows in UTC. @throws TemplateError as `timeIn` does */
export function timeShowing(time: ZonedTime, zone: string): ZonedTime {
  return inNamedZone(zone, (name) => atWallClock(time, name));
}

function inNamedZone(zone: string, find: (name: string) => ZonedTime | undefined): ZonedTime {
  const exchanged = zone.split('/').toReversed().join('/');
  const shown = find(zone) ?? (zone.includes('/') ? find(exchanged) : undefined);
  if (shown !== undefined) {
    if (Number.isNaN(wallClock(shown).getTime())) throw outOfRange();
    return shown;
  }
  if (inZone(utc(0), zone) !== undefined || inZone(utc(0), exchanged) !== undefined) throw outOfRange();
  throw new TemplateError(`unknown time zone "${zone.slice(0, 100)}"`);
}

/** ISO 8601 with the offset of the time, `Z` for UTC. A fraction of a second has the digits with which it was written. */
export function isoOf(time: ZonedTime): string {
  const digits = nanosOfSecond(time) === 0 ? 0 : time.fractionDigits;
  const fraction = digits === 0 ? '' : `.%${digits}N`;
  return strftime(time, `%Y-%m-%dT%H:%M:%S${fraction}${time.offsetSeconds === 0 ? 'Z' : '%:z'}`);
}

/** Returns a unit of time in the singular. */
export function unitFrom(value: unknown): string {
  const unit = textOf(value).trim().toLowerCase().replace(/s$/, '');
  if (isUnit(unit)) return unit;
  throw new TemplateError(`"${textOf(value).slice(0, 50)}" is not a unit of time such as "days"`);
}

/**
 * Returns the moment `amount` units later; months and years keep the day, or use the month's last one.
 * @throws TemplateError when it is out of range.
 */
export function shifted(time: ZonedTime, amount: number, unit: string): ZonedTime {
  return inRange(laterBy(time, amount, unit));
}

/**
 * Returns the start of the time's day, week (from Monday), month …
 * @throws TemplateError when it is out of range.
 */
export function startOfUnit(time: ZonedTime, unit: string): ZonedTime {
  return inRange(startOf(time, unit));
}

/** @throws TemplateError when it is out of range. */
function inRange(time: ZonedTime | undefined): ZonedTime {
  if (time === undefined) throw outOfRange();
  return time;
}

function outOfRange(): TemplateError {
  return new TemplateError('the time is out of range');
}
