import { dayOfMonth } from '../../platform/time/calendar-day.js';
import { momentShowing, offsetMs } from '../../platform/time/time-zone.js';
import { zoneNameAt } from './zone-names.js';
import { type Offset, offsetOf, UTC } from './zone-offsets.js';

/** A moment, with the offset from UTC in which it is shown. */
export interface ZonedTime extends Offset {
  /** Whole milliseconds since 1970. */
  epochMs: number;
  /** The nanoseconds after them, up to 999,999. */
  nanos: number;
  /** Digits of the second's fraction in ISO 8601: as many as were written, up to nine. */
  fractionDigits: number;
  /** True for a time that was written without a zone, and so counts as UTC. */
  isLocal?: boolean;
}

/** A local time; the month counts from 1. */
export interface WallTime extends ClockTime {
  year: number;
  month: number;
  day: number;
}

/** A time of day. */
export interface ClockTime {
  hour?: number;
  minute?: number;
  second?: number;
  /** The digits of the second's fraction. */
  fraction?: string;
  /** An offset, an abbreviation (`CEST`) or an IANA name; undefined is UTC. */
  zone?: string | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
export const LARGEST_EPOCH_MS = 8.64e15;
const NANOS_A_MS = 1_000_000;

export function utc(epochMs: number, nanos = 0, fractionDigits = 0): ZonedTime {
  return { ...UTC, epochMs, nanos, fractionDigits };
}

/** Returns the moment of a local time, UTC without a zone; undefined for a time that does not exist (February 30th). */
export function momentOf({ year, month, day, ...clock }: WallTime): ZonedTime | undefined {
  const midnight = dayOfMonth(year, month, day);
  return midnight === undefined ? undefined : momentAt(midnight, clock);
}

/**
 * Returns the moment of a time of the day that begins at `midnight`, as if it were UTC; undefined: no such time.
 * 24:00 is the end of the day, and a minute may have a leap second, which is the next minute's first one.
 */
export function momentAt(midnight: number, clock: ClockTime): ZonedTime | undefined {
  const { hour = 0, minute = 0, second = 0, fraction = '', zone } = clock;
  const { milliseconds, nanos } = fractionOf(fraction);
  const ms = (hour * 60 + minute) * MINUTE_MS + second * 1_000 + milliseconds;
  const isTime = minute < 60 && second <= 60 && (hour < 24 || (ms === DAY_MS && nanos === 0));
  if (!isTime) return undefined;
  const wall = { ...utc(midnight + ms, nanos, Math.min(fraction.length, 9)) };
  return zone === undefined ? valid({ ...wall, isLocal: true }) : inWrittenZone(wall, zone);
}

function inWrittenZone(wall: ZonedTime, zone: string): ZonedTime | undefined {
  if (zone.includes('/')) return atWallClock(wall, zone);
  const offset = offsetOf(zone);
  return offset && valid({ ...wall, ...offset, epochMs: wall.epochMs - offset.offsetSeconds * 1_000 });
}

function valid(time: ZonedTime): ZonedTime | undefined {
  return Math.abs(time.epochMs) <= LARGEST_EPOCH_MS ? time : undefined;
}

/** Returns the first milliseconds and nanoseconds of a fraction's digits; what is finer is cut off. */
export function fractionOf(digits: string): { milliseconds: number; nanos: number } {
  const nine = digits.padEnd(9, '0');
  return { milliseconds: Number(nine.slice(0, 3)), nanos: Number(nine.slice(3, 9)) };
}

/** Returns the moment so many ms (also with a fraction) later. Undefined: out of range. */
export function laterByMs(time: ZonedTime, ms: number): ZonedTime | undefined {
  const whole = Math.floor(ms);
  const nanos = time.nanos + Math.round((ms - whole) * NANOS_A_MS);
  const carried = Math.floor(nanos / NANOS_A_MS);
  const later = { ...time, epochMs: time.epochMs + whole + carried, nanos: nanos - carried * NANOS_A_MS };
  // A distance of whole seconds keeps the digits of the fraction.
  const digits = ms % 1_000 === 0 ? 0 : digitsNeeded(later);
  return valid({ ...later, fractionDigits: Math.max(time.fractionDigits, digits) });
}

/** Returns 0, 3, 6 or 9: how many digits the fraction of the time's second needs. */
export function digitsNeeded({ epochMs, nanos }: Pick<ZonedTime, 'epochMs' | 'nanos'>): number {
  if (nanos % 1_000 !== 0) return 9;
  if (nanos !== 0) return 6;
  return epochMs % 1_000 === 0 ? 0 : 3;
}

/** Returns the nanoseconds of the time's second. */
export function nanosOfSecond({ epochMs, nanos }: ZonedTime): number {
  return (((epochMs % 1_000) + 1_000) % 1_000) * NANOS_A_MS + nanos;
}

/** Returns a date whose UTC fields are the local time in the time's zone. */
export function wallClock(time: ZonedTime): Date {
  return new Date(time.epochMs + time.offsetSeconds * 1_000);
}

/** Orders two times as `toSorted` expects. */
export function compareTimes(a: ZonedTime, b: ZonedTime): number {
  return a.epochMs - b.epochMs || a.nanos - b.nanos;
}

/** Returns the same moment in a zone (`Europe/Paris`, `+02:00`); undefined: no such zone, or out of range. */
export function inZone(time: ZonedTime, zone: string): ZonedTime | undefined {
  if (/^(?:Z|UTC|[+-]\d\d:?\d\d)$/i.test(zone)) {
    const offset = offsetOf(zone);
    return offset && { ...time, ...offset, isLocal: false };
  }
  return forZone(() => {
    const offsetSeconds = offsetMs(zone, time.epochMs) / 1_000;
    const zoneName = zoneNameAt(zone, time.epochMs, offsetSeconds);
    return { ...time, offsetSeconds, zoneName, isLocal: false };
  });
}

/**
 * Returns the moment at which a zone's clocks show the time's UTC fields; undefined: no such zone, or out of range. A time that
 * a clock change skips is later by the skipped duration; one that it repeats is the first of the two.
 */
export function atWallClock(time: ZonedTime, zone: string): ZonedTime | undefined {
  const fixed = /^(?:Z|UTC|[+-]\d\d:?\d\d)$/i.test(zone) ? inZone(time, zone) : undefined;
  if (fixed !== undefined) return laterByMs(fixed, -fixed.offsetSeconds * 1_000);
  return forZone(() => inZone({ ...time, epochMs: momentShowing(zone, time.epochMs) }, zone));
}

/** Returns undefined where `Intl` knows no such zone, or the time is out of its range. */
function forZone(find: () => ZonedTime | undefined): ZonedTime | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
