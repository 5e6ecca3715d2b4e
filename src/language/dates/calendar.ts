import { midnightOf } from '../../platform/time/calendar-day.js';
import { LARGEST_EPOCH_MS, laterByMs, wallClock, type ZonedTime } from './zoned-time.js';

const DAY_MS = 86_400_000;
export const UNIT_MS: Record<string, number> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

export function isUnit(name: string): boolean {
  return Object.hasOwn(UNIT_MS, name) || name === 'month' || name === 'year';
}

/**
 * Returns the time `amount` units (`day`, `month` …) later; months and years keep the day, or use the month's last one.
 * Undefined: out of range.
 */
export function laterBy(time: ZonedTime, amount: number, unit: string): ZonedTime | undefined {
  const length = UNIT_MS[unit];
  if (length !== undefined) return laterByMs(time, amount * length);
  return at(time, monthsLater(time, Math.trunc(unit === 'year' ? amount * 12 : amount)));
}

/** Returns the start of the time's day, week (from Monday), month … Undefined: out of range. */
export function startOf(time: ZonedTime, unit: string): ZonedTime | undefined {
  const local = wallClock(time);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  const offsetMs = time.offsetSeconds * 1_000;
  const whole = { ...time, nanos: 0, fractionDigits: 0 };
  if (unit === 'year') return at(whole, midnightOf(year, 0, 1) - offsetMs);
  if (unit === 'month') return at(whole, midnightOf(year, month, 1) - offsetMs);
  if (unit === 'week') {
    const monday = local.getUTCDate() - ((local.getUTCDay() + 6) % 7);
    return at(whole, midnightOf(year, month, monday) - offsetMs);
  }
  const length = UNIT_MS[unit] ?? DAY_MS;
  return at(whole, Math.floor((time.epochMs + offsetMs) / length) * length - offsetMs);
}

function monthsLater(time: ZonedTime, months: number): number {
  const local = wallClock(time);
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + months];
  const lastDay = new Date(midnightOf(year, month + 1, 0)).getUTCDate();
  const midnight = midnightOf(year, month, Math.min(local.getUTCDate(), lastDay));
  const timeOfDay = ((local.getTime() % DAY_MS) + DAY_MS) % DAY_MS;
  return midnight + timeOfDay - time.offsetSeconds * 1_000;
}

function at(time: ZonedTime, epochMs: number): ZonedTime | undefined {
  return Math.abs(epochMs) <= LARGEST_EPOCH_MS ? { ...time, epochMs: Math.floor(epochMs) } : undefined;
}
