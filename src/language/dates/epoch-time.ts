import { digitsNeeded, fractionOf, LARGEST_EPOCH_MS, utc, type ZonedTime } from './zoned-time.js';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
/** Larger numbers are milliseconds: as seconds they would be the year 5138. */
const SMALLEST_MILLISECONDS = 1e11;

/** Reads seconds since 1970 in digits, or milliseconds if there are 12 digits or more. Undefined: out of range. */
export function fromEpoch(text: string): ZonedTime | undefined {
  const [matched, , whole = ''] = DECIMAL.exec(text) ?? [];
  if (matched === undefined) return undefined;
  return sinceEpoch(Number(whole) >= SMALLEST_MILLISECONDS ? secondsOf(text) : text);
}

/** Returns milliseconds as seconds, both in digits. */
export function secondsOf(milliseconds: string): string {
  const [, sign = '', whole = '', digits = ''] = DECIMAL.exec(milliseconds) ?? [];
  const padded = whole.padStart(4, '0');
  return `${sign}${padded.slice(0, -3)}.${padded.slice(-3)}${digits}`;
}

/** Reads seconds since 1970 in digits, to the nanosecond. Undefined: out of range. */
export function sinceEpoch(seconds: string): ZonedTime | undefined {
  const [, sign = '', whole = '', digits = ''] = DECIMAL.exec(seconds) ?? [];
  const { milliseconds, nanos } = fractionOf(digits);
  const ms = Number(whole) * 1_000 + milliseconds;
  const [epochMs, rest] = sign === '-' ? [-ms, -nanos] : [ms, nanos];
  // Nanoseconds count forward, also before 1970.
  const time = rest < 0 ? utc(epochMs - 1, rest + 1_000_000) : utc(epochMs + 0, rest);
  return Math.abs(time.epochMs) <= LARGEST_EPOCH_MS
    ? { ...time, fractionDigits: digitsNeeded(time) }
    : undefined;
}
