import { parseDate } from '../../parse-date.js';
import { strftime } from '../../strftime.js';
import { TemplateError } from '../../template.js';
import { textOf } from '../../values.js';
import { inZone, type ZonedTime } from '../../zoned-time.js';

export const DAY_MS = 86_400_000;
const UNIT_MS: Record<string, number> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
const LARGEST_EPOCH_MS = 8.64e15;

/** @throws TemplateError for what is not a time. */
export function timeFrom(value: unknown): ZonedTime {
  const time = parseDate(value, Date.now());
  if (time === undefined)
    throw new TemplateError(`${JSON.stringify(textOf(value).slice(0, 50))} is not a time`);
  return time;
}

/**
 * The moment in a zone. Names with their halves exchanged (`Vancouver/America`) are read as meant: real
 * stories hold them.
 * @throws TemplateError when there is no such zone.
 */
export function timeIn(time: ZonedTime, zone: string): ZonedTime {
  const exchanged = zone.split('/').toReversed().join('/');
  const shown = inZone(time, zone) ?? (zone.includes('/') ? inZone(time, exchanged) : undefined);
  if (shown === undefined) throw new TemplateError(`there is no time zone "${zone.slice(0, 100)}"`);
  return shown;
}

/** ISO 8601 with the offset the time is shown in, `Z` for UTC. */
export function isoOf(time: ZonedTime): string {
  return strftime(time, time.offsetMinutes === 0 ? '%Y-%m-%dT%H:%M:%SZ' : '%Y-%m-%dT%H:%M:%S%:z');
}

/** A unit of time in the singular. */
export function unitFrom(value: unknown): string {
  const unit = textOf(value).trim().toLowerCase().replace(/s$/, '');
  if (Object.hasOwn(UNIT_MS, unit) || unit === 'month' || unit === 'year') return unit;
  throw new TemplateError(`"${textOf(value).slice(0, 50)}" is not a unit of time such as "days"`);
}

/** The moment so many units later; months and years keep the day, or take the month's last one. */
export function shifted(time: ZonedTime, amount: number, unit: string): ZonedTime {
  const length = UNIT_MS[unit];
  const epochMs =
    length === undefined
      ? monthsLater(time, unit === 'year' ? amount * 12 : amount)
      : time.epochMs + amount * length;
  return at(time, epochMs);
}

/** The first moment of the time's day, week (from Monday), month … */
export function startOf(time: ZonedTime, unit: string): ZonedTime {
  const local = wallClock(time);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  const offsetMs = time.offsetMinutes * 60_000;
  if (unit === 'year') return at(time, utcDay(year, 0, 1) - offsetMs);
  if (unit === 'month') return at(time, utcDay(year, month, 1) - offsetMs);
  if (unit === 'week') {
    const monday = local.getUTCDate() - ((local.getUTCDay() + 6) % 7);
    return at(time, utcDay(year, month, monday) - offsetMs);
  }
  const length = UNIT_MS[unit] ?? DAY_MS;
  return at(time, Math.floor((time.epochMs + offsetMs) / length) * length - offsetMs);
}

/** A date whose UTC fields are those of the clock on the wall where the time is shown. */
export function wallClock(time: ZonedTime): Date {
  return new Date(time.epochMs + time.offsetMinutes * 60_000);
}

function monthsLater(time: ZonedTime, months: number): number {
  const local = wallClock(time);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + Math.trunc(months)];
  const lastDay = new Date(utcDay(year, month + 1, 0)).getUTCDate();
  const midnight = utcDay(year, month, Math.min(local.getUTCDate(), lastDay));
  const timeOfDay = ((local.getTime() % DAY_MS) + DAY_MS) % DAY_MS;
  return midnight + timeOfDay - time.offsetMinutes * 60_000;
}

/** `Date.UTC`, which takes years below 100 for those of the last century, without that. */
function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function at(time: ZonedTime, epochMs: number): ZonedTime {
  if (!(Math.abs(epochMs) <= LARGEST_EPOCH_MS)) throw new TemplateError('the time is out of range');
  return { ...time, epochMs: Math.floor(epochMs) };
}
