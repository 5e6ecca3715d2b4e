/** A moment, with the offset from UTC (in minutes) that it is shown in. */
export interface ZonedTime {
  epochMs: number;
  offsetMinutes: number;
  zoneName: string;
}

const MAX_CHARACTERS = 100;
/** Digits this large are milliseconds: as seconds they would be the year 5138. */
const SMALLEST_MILLISECONDS = 1e11;
const LARGEST_EPOCH_MS = 8.64e15;

const ISO =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]+(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?[T\s]*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * `now`, `today`, seconds since 1970 as a number or text, ISO 8601, and what mail headers and people write.
 * A time keeps the offset it is written with; without one it is UTC. Undefined: not a time.
 */
export function parseDate(value: unknown, nowMs: number): ZonedTime | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined;
  const text = value.trim();
  if (/^(?:now|today)$/i.test(text)) return utc(nowMs);
  if (/^-?\d+(?:\.\d+)?$/.test(text) && !/^\d{8}$/.test(text)) return fromEpoch(Number(text));
  // What has that form and is no day (February 30th) is none in another form either.
  return ISO.test(text) ? fromIso(text) : fromOther(text);
}

function utc(epochMs: number): ZonedTime {
  return { epochMs, offsetMinutes: 0, zoneName: 'UTC' };
}

function fromEpoch(given: number): ZonedTime | undefined {
  const epochMs = Math.abs(given) >= SMALLEST_MILLISECONDS ? given : given * 1000;
  return Number.isFinite(epochMs) && Math.abs(epochMs) <= LARGEST_EPOCH_MS
    ? utc(Math.floor(epochMs))
    : undefined;
}

function fromIso(text: string): ZonedTime | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const epochMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  if (new Date(epochMs).getUTCMonth() !== Number(month) - 1 || Number(hour) > 24) return undefined;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const offset = offsetOf(zone);
  return { ...offset, epochMs: epochMs + milliseconds - offset.offsetMinutes * 60_000 };
}

/** `Mon, 01 Feb 2021 10:00:00 +0200`, `Feb 1, 2021 10:00 PM`, `02/01/2021`: what the platform can read. */
function fromOther(text: string): ZonedTime | undefined {
  const hasYearOrMonth = /\d{4}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(text);
  if (!hasYearOrMonth || !/\d/.test(text)) return undefined;
  const bare = text.replace(/\s*\([^()]*\)$/, '');
  const zone = /(?:\d\s*)([+-]\d\d:?\d\d)$|\s(Z|UTC|GMT|E[SD]T|C[SD]T|M[SD]T|P[SD]T)$/i.exec(bare);
  const epochMs = Date.parse(zone === null ? `${bare} UTC` : bare);
  if (Number.isNaN(epochMs)) return undefined;
  return { epochMs, ...offsetOf(zone?.[1] ?? 'Z') };
}

function offsetOf(zone: string): Omit<ZonedTime, 'epochMs'> {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (match === null) return { offsetMinutes: 0, zoneName: 'UTC' };
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return { offsetMinutes: match[1] === '-' ? -minutes : minutes, zoneName: '' };
}

/** The same moment in a zone (`Europe/Paris`, `+02:00`); undefined: no such zone. */
export function inZone(time: ZonedTime, zone: string): ZonedTime | undefined {
  if (/^(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(zone)) return { ...time, ...offsetOf(zone) };
  try {
    const offset = zoneText(time, zone, 'longOffset').replace(/^GMT/, '');
    return { ...time, ...offsetOf(offset || 'Z'), zoneName: zoneText(time, zone, 'short') };
  } catch (error) {
    // Intl knows no such zone, or the time is out of its range.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function zoneText(time: ZonedTime, timeZone: string, timeZoneName: 'longOffset' | 'short'): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName }).formatToParts(time.epochMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
