import { LRUCache } from 'lru-cache';

/** Cached, because creating a format is slow and using it is not. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });

/** A moment, with the offset from UTC (in minutes) in which it is shown. */
export interface ZonedTime {
  epochMs: number;
  offsetMinutes: number;
  zoneName: string;
}

/** A local time; the month counts from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour?: number;
  minute?: number;
  second?: number;
  milliseconds?: number;
  zone?: string | undefined;
}

const MINUTE_MS = 60_000;
/** The names that Ruby's `Time.parse` knows, in hours. */
const NAMED_OFFSETS: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

export function utc(epochMs: number): ZonedTime {
  return { epochMs, offsetMinutes: 0, zoneName: 'UTC' };
}

/** Returns the moment of a local time, UTC without a zone; undefined for a time that does not exist (February 30th). */
export function momentOf(wall: WallTime): ZonedTime | undefined {
  const { year, month, day, hour = 0, minute = 0, second = 0, milliseconds = 0, zone = 'Z' } = wall;
  // `Date.UTC` would read years below 100 as years of the last century.
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const isDay = day > 0 && new Date(midnight).getUTCMonth() === month - 1;
  const isTime = minute < 60 && second <= 60 && (hour < 24 || (hour === 24 && minute + second === 0));
  if (!isDay || !isTime) return undefined;
  const offset = offsetOf(zone);
  const minutes = hour * 60 + minute - offset.offsetMinutes;
  return { ...offset, epochMs: midnight + minutes * MINUTE_MS + second * 1_000 + milliseconds };
}

function offsetOf(zone: string): Omit<ZonedTime, 'epochMs'> {
  const hours = NAMED_OFFSETS[zone.toUpperCase()];
  if (hours !== undefined) return { offsetMinutes: hours * 60, zoneName: '' };
  const match = /([+-])(\d\d?)(?::?(\d\d))?$/.exec(zone);
  if (match === null) return { offsetMinutes: 0, zoneName: 'UTC' };
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return { offsetMinutes: match[1] === '-' ? -minutes : minutes, zoneName: '' };
}

/** Returns the same moment in a zone (`Europe/Paris`, `+02:00`); undefined: no such zone. */
export function inZone(time: ZonedTime, zone: string): ZonedTime | undefined {
  if (/^(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(zone)) return { ...time, ...offsetOf(zone) };
  try {
    const offset = zoneText(time, zone, 'longOffset').replace(/^GMT/, '');
    return { ...time, ...offsetOf(offset || 'Z'), zoneName: zoneText(time, zone, 'short') };
  } catch (error) {
    // Intl does not know the zone, or the time is out of its range.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function zoneText(time: ZonedTime, timeZone: string, timeZoneName: 'longOffset' | 'short'): string {
  const key = `${timeZoneName} ${timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName });
  formats.set(key, format);
  const parts = format.formatToParts(time.epochMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
