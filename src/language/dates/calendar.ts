import type { ZonedTime } from './zoned-time.js';

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

export function isUnit(name: string): boolean {
  return Object.hasOwn(UNIT_MS, name) || name === 'month' || name === 'year';
}

/**
 * Returns the time `amount` units (`day`, `month` …) later; months and years keep the day, or use the month's last one.
 * Undefined: out of range.
 */
export function laterBy(time: ZonedTime, amount: number, unit: string): ZonedTime | undefined {
  const length = UNIT_MS[unit];
  const epochMs =
    length === undefined
      ? monthsLater(time, unit === 'year' ? amount * 12 : amount)
      : time.epochMs + amount * length;
  return at(time, epochMs);
}

/** Returns the start of the time's day, week (from Monday), month … Undefined: out of range. */
export function startOf(time: ZonedTime, unit: string): ZonedTime | undefined {
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

/** Returns a date whose UTC fields are the local time in the time's zone. */
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

/** Like `Date.UTC`, but without reading years below 100 as years of the last century. */
function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function at(time: ZonedTime, epochMs: number): ZonedTime | undefined {
  return Math.abs(epochMs) <= LARGEST_EPOCH_MS ? { ...time, epochMs: Math.floor(epochMs) } : undefined;
}
