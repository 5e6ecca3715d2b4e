import type { JsonObject } from '../../../../platform/json.js';
import { laterBy, UNIT_MS } from '../../../dates/calendar.js';
import { compareTimes, wallClock, type ZonedTime } from '../../../dates/zoned-time.js';
import { isNothing } from '../../../values/values.js';
import { roundedTo } from '../../../values/rounding.js';
import { unitFrom } from './times.js';

const UNITS = ['week', 'day', 'hour', 'minute', 'second'] as const;

/**
 * Returns how far two times are apart: in each unit as a whole with two decimals, and under `units` divided among years to
 * seconds. With a unit it is the whole number of that unit. If `absolute` is false, it is negative for an earlier second time.
 */
export function dateDifference(from: ZonedTime, to: ZonedTime, unit: unknown, absolute: boolean): unknown {
  const isBackwards = compareTimes(from, to) > 0;
  const [first, last] = isBackwards ? [to, from] : [from, to];
  const signed = (number: number) => (isBackwards && !absolute ? -number : number) + 0;
  if (!isNothing(unit)) return signed(wholeUnits(first, last, unitFrom(unit)));
  const ms = apart(first, last);
  return {
    ...Object.fromEntries(
      UNITS.map((name) => [`${name}s`, signed(Number(roundedTo(ms / lengthOf(name), 2)))]),
    ),
    units: dividedUnits(first, last, signed),
  };
}

function wholeUnits(first: ZonedTime, last: ZonedTime, unit: string): number {
  if (unit === 'month') return wholeMonths(first, last);
  if (unit === 'year') return Math.floor(wholeMonths(first, last) / 12);
  return Math.floor(apart(first, last) / lengthOf(unit));
}

/** Months end on the same day of the month, or on its last one; what remains is counted in weeks to seconds. */
function dividedUnits(first: ZonedTime, last: ZonedTime, signed: (number: number) => number): JsonObject {
  const months = wholeMonths(first, last);
  const parts: JsonObject = { years: signed(Math.floor(months / 12)), months: signed(months % 12) };
  let rest = apart(laterBy(first, months, 'month') ?? first, last);
  for (const unit of UNITS) {
    const length = lengthOf(unit);
    parts[`${unit}s`] = signed(Math.floor(rest / length));
    rest %= length;
  }
  return parts;
}

/** Counts in the calendar of the first time's offset. */
function wholeMonths(first: ZonedTime, last: ZonedTime): number {
  const [from, to] = [first, { ...last, offsetSeconds: first.offsetSeconds }].map(wallClock);
  if (from === undefined || to === undefined) return 0;
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const end = laterBy(first, months, 'month');
  return end !== undefined && compareTimes(end, last) > 0 ? months - 1 : months;
}

function apart(first: ZonedTime, last: ZonedTime): number {
  return last.epochMs - first.epochMs + (last.nanos - first.nanos) / 1_000_000;
}

function lengthOf(unit: string): number {
  return UNIT_MS[unit] ?? 1;
}
