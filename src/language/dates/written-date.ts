import { ZONE_NAME_PATTERN, ZONE_PATTERN } from './zone-offsets.js';
import { type ClockTime, momentOf, type ZonedTime } from './zoned-time.js';

/** Returns the year of a day written without one, for the given month (from 1). */
export type YearOf = (month: number) => number;

const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(?<![a-z])(?<name>${MONTH_NAMES.join('|')})[a-z]*`;
const DAY = '(?<day>\\d{1,2})(?!\\d)(?:st|nd|rd|th)?';
const YEAR = '(?<year>\\d{4}|\\d\\d)(?!\\d)';
const FULL_YEAR = '(?<year>\\d{4})(?!\\d)';
const BETWEEN = '[\\s,./-]*';

/** The day precedes the month if both are numbers, as in Ruby's `Time.parse`. */
const DAYS = [
  `${DAY}(?<mark>[./-])(?<month>\\d{1,2})\\k<mark>${FULL_YEAR}`,
  `${FULL_YEAR}(?<mark>[./-])(?<month>\\d{1,2})(?:\\k<mark>${DAY})?`,
  `${DAY}${BETWEEN}${MONTH}(?:${BETWEEN}${YEAR})?`,
  `${MONTH}${BETWEEN}${DAY}(?:${BETWEEN}${YEAR})?`,
  `${MONTH}${BETWEEN}${FULL_YEAR}`,
  `${FULL_YEAR}${BETWEEN}${MONTH}${BETWEEN}${DAY}`,
].map((day) => new RegExp(`^[a-z\\s,.:]*?${day}[\\s,.]*(?<zone>${ZONE_NAME_PATTERN})?$`, 'i'));

/** An offset is read only after a time: in 05-03-2024, -2024 is none. */
const TIME = new RegExp(
  '(?:^|[\\s,T:])(?:at\\s+)?(?<hour>\\d{1,2})(?=:\\d|\\s*[ap]\\.?m)' +
    '(?::(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,24}))?)?)?' +
    `(?:\\s*(?<half>[ap])\\.?m\\.?)?(?:\\s*(?<zone>${ZONE_PATTERN}))?(?=[\\s,(]|$)`,
  'i',
);

/**
 * Reads a date as people and mail headers write it (`Mon, 01 Feb 2021 10:00:00 +0200`, `Feb 1, 2021 10:00 PM`, `1/2/2021`,
 * `Thu Feb 3 10:00:00 EST 2021`); a weekday and other words before it are ignored.
 */
export function parseWrittenDate(text: string, yearOf: YearOf): ZonedTime | undefined {
  const { rest, clock } = takeClock(withoutComment(text));
  const found = DAYS.map((day) => day.exec(rest)).find((match) => match !== null)?.groups;
  if (found === undefined) return undefined;
  const month = monthOf(found);
  const year = found.year === undefined ? yearOf(month) : fullYear(found.year);
  return momentOf({ zone: found.zone, ...clock, year, month, day: Number(found.day ?? 1) });
}

/** Reads a time of day alone, `10:20` or `3 pm`, which is today, as in Ruby. Undefined for any other text. */
export function parseClockOfToday(text: string, nowMs: number): ZonedTime | undefined {
  const { rest, clock } = takeClock(text.trim());
  if (clock === undefined || rest !== '') return undefined;
  const today = new Date(nowMs);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate()];
  return momentOf({ ...clock, year, month, day });
}

/** Removes the name of the zone that mail headers may have in parentheses after the offset. */
function withoutComment(text: string): string {
  return text.replace(/\s*\([^()]*\)$/, '');
}

/** Returns the time of day in a text, and the text without it. */
export function takeClock(text: string): { rest: string; clock?: ClockTime } {
  const match = TIME.exec(text);
  if (match === null) return { rest: text.trim() };
  const { hour, minute = '0', second = '0', fraction = '', half, zone } = match.groups ?? {};
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`.trim();
  const clock = {
    hour: hourOf(Number(hour), half),
    minute: Number(minute),
    second: Number(second),
    fraction,
  };
  return { rest, clock: zone === undefined ? clock : { ...clock, zone } };
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  // 13 am does not exist: NaN makes the time invalid.
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function monthOf({ name, month }: Record<string, string | undefined>): number {
  return name === undefined ? Number(month) : MONTH_NAMES.indexOf(name.toLowerCase()) + 1;
}

function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  return Number(year) + (Number(year) < 69 ? 2000 : 1900);
}
