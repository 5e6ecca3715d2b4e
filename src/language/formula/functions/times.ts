import { isUnit, laterBy, startOf, wallClock } from '../../dates/calendar.js';
import { type Clocks, parseSpokenDate, parseWords } from '../../dates/spoken-date.js';
import { strftime } from '../../dates/strftime.js';
import { TemplateError } from '../../template-error.js';
import { isRecord, textOf } from '../../values/values.js';
import { inZone, utc, type ZonedTime } from '../../dates/zoned-time.js';

/** Reads a time, also in words (`2 days ago`), which refer to the zone; undefined: not a time. */
export function findTime(value: unknown, zone = ''): ZonedTime | undefined {
  return parseSpokenDate(momentIn(value), Date.now(), clocksOf(zone));
}

/** Reads a time in words, relative to the zone; undefined: not a time, or one in digits. */
export function spokenTime(value: unknown, zone: string): ZonedTime | undefined {
  return parseWords(value, Date.now(), clocksOf(zone));
}

function clocksOf(zone: string): Clocks | undefined {
  if (zone === '') return undefined;
  return {
    shownAt: (epochMs) => timeIn(utc(epochMs), zone),
    showing: (wallMs) => atWallClock(wallMs, zone),
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
  return isRecord(value) && Object.hasOwn(value, 'iso8601_milliseconds') ? value.iso8601_milliseconds : value;
}

/**
 * Returns the moment in a zone. A name with exchanged halves (`Vancouver/America`) is accepted: real
 * stories contain such names.
 * @throws TemplateError for an unknown zone, and for a time outside its range.
 */
export function timeIn(time: ZonedTime, zone: string): ZonedTime {
  momentAt(time.epochMs);
  const exchanged = zone.split('/').toReversed().join('/');
  const shown = inZone(time, zone) ?? (zone.includes('/') ? inZone(time, exchanged) : undefined);
  if (shown === undefined) throw new TemplateError(`there is no time zone "${zone.slice(0, 100)}"`);
  momentAt(wallClock(shown).getTime());
  return shown;
}

/** ISO 8601 with the offset of the time, `Z` for UTC. */
export function isoOf(time: ZonedTime): string {
  return strftime(time, time.offsetMinutes === 0 ? '%Y-%m-%dT%H:%M:%SZ' : '%Y-%m-%dT%H:%M:%S%:z');
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
export function firstOf(time: ZonedTime, unit: string): ZonedTime {
  return inRange(startOf(time, unit));
}

/** Returns the moment when the local time in the zone equals UTC's at `epochMs`. */
export function atWallClock(epochMs: number, zone: string): ZonedTime {
  const shownAt = (ms: number) => timeIn(momentAt(ms), zone);
  const guess = shownAt(epochMs);
  const { offsetMinutes } = shownAt(epochMs - guess.offsetMinutes * 60_000);
  return shownAt(epochMs - offsetMinutes * 60_000);
}

/** @throws TemplateError when it is out of range. */
function momentAt(epochMs: number): ZonedTime {
  return inRange(laterBy(utc(0), epochMs, 'millisecond'));
}

function inRange(time: ZonedTime | undefined): ZonedTime {
  if (time === undefined) throw new TemplateError('the time is out of range');
  return time;
}
