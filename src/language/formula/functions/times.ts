import { isUnit, laterBy, startOf, wallClock } from '../../dates/calendar.js';
import { type Clocks, parseSpokenDate, parseWords } from '../../dates/spoken-date.js';
import { strftime } from '../../dates/strftime.js';
import { TemplateError } from '../../template-error.js';
import { isRecord, textOf } from '../../values/values.js';
import { inZone, utc, type ZonedTime } from '../../dates/zoned-time.js';

/** A time as formulas read it, also in words (`2 days ago`), which are those of the zone; undefined: not a time. */
export function findTime(value: unknown, zone = ''): ZonedTime | undefined {
  return parseSpokenDate(momentIn(value), Date.now(), clocksOf(zone));
}

/** A time in words, as they are meant in the zone; undefined: none, or one in figures. */
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

/** @throws TemplateError for what is not a time. */
export function timeFrom(value: unknown): ZonedTime {
  const time = findTime(value);
  if (time === undefined)
    throw new TemplateError(`${JSON.stringify(textOf(value).slice(0, 50))} is not a time`);
  return time;
}

/** What DATE_PARSE has given stands for its moment wherever a time may stand. */
function momentIn(value: unknown): unknown {
  return isRecord(value) && Object.hasOwn(value, 'iso8601_milliseconds') ? value.iso8601_milliseconds : value;
}

/**
 * The moment in a zone. Names with their halves exchanged (`Vancouver/America`) are read as meant: real
 * stories hold them.
 * @throws TemplateError when there is no such zone, and for a time that its clocks cannot show.
 */
export function timeIn(time: ZonedTime, zone: string): ZonedTime {
  momentAt(time.epochMs);
  const exchanged = zone.split('/').toReversed().join('/');
  const shown = inZone(time, zone) ?? (zone.includes('/') ? inZone(time, exchanged) : undefined);
  if (shown === undefined) throw new TemplateError(`there is no time zone "${zone.slice(0, 100)}"`);
  momentAt(wallClock(shown).getTime());
  return shown;
}

/** ISO 8601 with the offset the time is shown in, `Z` for UTC. */
export function isoOf(time: ZonedTime): string {
  return strftime(time, time.offsetMinutes === 0 ? '%Y-%m-%dT%H:%M:%SZ' : '%Y-%m-%dT%H:%M:%S%:z');
}

/** A unit of time in the singular. */
export function unitFrom(value: unknown): string {
  const unit = textOf(value).trim().toLowerCase().replace(/s$/, '');
  if (isUnit(unit)) return unit;
  throw new TemplateError(`"${textOf(value).slice(0, 50)}" is not a unit of time such as "days"`);
}

/**
 * The moment so many units later; months and years keep the day, or take the month's last one.
 * @throws TemplateError when that is out of range.
 */
export function shifted(time: ZonedTime, amount: number, unit: string): ZonedTime {
  return inRange(laterBy(time, amount, unit));
}

/**
 * The first moment of the time's day, week (from Monday), month …
 * @throws TemplateError when that is out of range.
 */
export function firstOf(time: ZonedTime, unit: string): ZonedTime {
  return inRange(startOf(time, unit));
}

/** The time where clocks of the zone show what UTC's would show at `epochMs`. */
export function atWallClock(epochMs: number, zone: string): ZonedTime {
  const shownAt = (ms: number) => timeIn(momentAt(ms), zone);
  const guess = shownAt(epochMs);
  const { offsetMinutes } = shownAt(epochMs - guess.offsetMinutes * 60_000);
  return shownAt(epochMs - offsetMinutes * 60_000);
}

/** @throws TemplateError when that is out of range. */
function momentAt(epochMs: number): ZonedTime {
  return inRange(laterBy(utc(0), epochMs, 'millisecond'));
}

function inRange(time: ZonedTime | undefined): ZonedTime {
  if (time === undefined) throw new TemplateError('the time is out of range');
  return time;
}
