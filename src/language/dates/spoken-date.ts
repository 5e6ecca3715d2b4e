import { laterBy, startOf } from './calendar.js';
import { parseDate } from './parse-date.js';
import { takeClock, type YearOf } from './written-date.js';
import { momentOf, utc, wallClock, type ZonedTime } from './zoned-time.js';

/** Converts between moments and local times of a zone; `wall` is a local time as if it were UTC. */
export interface Clocks {
  shownAt: (time: ZonedTime) => ZonedTime;
  showing: (wall: ZonedTime) => ZonedTime;
}

const MAX_CHARACTERS = 100;
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ORDINALS = [
  ...'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  ...'thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(' '),
];
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const DAYS_FROM_TODAY: Record<string, number> = { yesterday: -1, now: 0, today: 0, tomorrow: 1 };
const LONG_UNITS: Record<string, string> = { sec: 'second', min: 'minute', hr: 'hour' };

const TIME_UNIT = /second|sec|minute|min|hour|hr/;
const UNIT = '(second|sec|minute|min|hour|hr|day|week|month|year)';
const DISTANCE = new RegExp(
  `^(in )?(\\d{1,6}|an?|${NUMBERS.join('|')}) ${UNIT}s?( ago| before now| from now| from today| hence)?$`,
);
const PERIOD = new RegExp(`^(last|this|next) ${UNIT}$`);
const WEEKDAY = /^(?:(last|this|next) )?([a-z]{3,9})$/;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;
const ORDINAL = new RegExp(`\\b(?:(twenty|thirty)[ -])?(${ORDINALS.join('|')}|thirtieth)\\b`, 'g');

/**
 * Reads a date as `parseDate` does, or in words: `2 days ago`, `in an hour`, `tomorrow at 10am`, `next monday`,
 * `fourteenth of May`. A day or a period (`yesterday`, `next week`) is its start, in UTC; `today` alone is now.
 * With `clocks`, words refer to local times of that zone.
 */
export function parseSpokenDate(value: unknown, nowMs: number, clocks?: Clocks): ZonedTime | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return parseDate(value, nowMs);
  return parseWords(value, nowMs, clocks) ?? fromDate(simplified(value), nowMs);
}

/** Reads a date in words only. Undefined: not a date, or one in digits. */
export function parseWords(value: unknown, nowMs: number, clocks?: Clocks): ZonedTime | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined;
  const text = simplified(value);
  const inUtc = fromWords(text, utc(nowMs));
  if (inUtc === undefined || clocks === undefined) return inUtc;
  const now = clocks.shownAt(utc(nowMs));
  // Hours are elapsed time, even across a change of the offset; days end at local midnight.
  if (TIME_UNIT.test(text)) {
    const moment = fromWords(text, now);
    return moment && clocks.shownAt(moment);
  }
  const wall = fromWords(text, utc(wallClock(now).getTime()));
  // A time of day with its own zone is already a moment.
  return takeClock(text).clock?.zone === undefined ? wall && clocks.showing(wall) : wall;
}

/** Returns the text in lower case, with ordinals and names of times as digits and without filler words. */
function simplified(value: string): string {
  const lower = value.toLowerCase();
  // Without a month, `a second ago` is not an ordinal.
  const text = MONTH.test(lower) ? lower.replace(ORDINAL, ordinalDigits) : lower;
  return text
    .replace(/\b(?:noon|midday)\b/g, '12:00')
    .replace(/\bmidnight\b/g, '24:00')
    .replace(/\b(?:the|of|on)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function ordinalDigits(_ordinal: string, tens: string | undefined, word: string): string {
  const ones = word === 'thirtieth' ? 30 : ORDINALS.indexOf(word) + 1;
  return String(ones + (tens === undefined ? 0 : tens === 'twenty' ? 20 : 30));
}

function fromDate(text: string, nowMs: number): ZonedTime | undefined {
  // American dates are accepted if they are unambiguous: 12/25/2023.
  const dayFirst = text.replace(/^(\d{1,2})\/(\d{1,2})\/(?=\d{4})/, '$2/$1/');
  const yearOf = comingYear(new Date(nowMs));
  return parseDate(text, nowMs, yearOf) ?? parseDate(dayFirst, nowMs, yearOf);
}

/** A month that has passed belongs to the next year. */
function comingYear(now: Date): YearOf {
  return (month) => now.getUTCFullYear() + (month <= now.getUTCMonth() ? 1 : 0);
}

function fromWords(text: string, now: ZonedTime): ZonedTime | undefined {
  const { rest, clock } = takeClock(text);
  if (clock === undefined) return distant(rest, now) ?? periodStart(rest, now);
  // A time of day can follow a day, but not `2 hours ago`.
  if (TIME_UNIT.test(rest)) return undefined;
  const day = namedDay(rest, now) ?? distant(rest, now) ?? periodStart(rest, now);
  return day === undefined ? undefined : momentOf({ ...dateOf(day), ...clock });
}

/** Reads `2 days ago`, `in an hour`; the result is cut to seconds, in the zone of `now`. */
function distant(text: string, now: ZonedTime): ZonedTime | undefined {
  const [match, ahead, amount = '', unit = '', way] = DISTANCE.exec(text) ?? [];
  if (match === undefined || (ahead === undefined) === (way === undefined)) return undefined;
  const sign = way === ' ago' || way === ' before now' ? -1 : 1;
  const second = startOf(now, 'second');
  return second && laterBy(second, sign * amountOf(amount), LONG_UNITS[unit] ?? unit);
}

function amountOf(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  return NUMBERS.includes(text) ? NUMBERS.indexOf(text) + 1 : 1;
}

function periodStart(text: string, now: ZonedTime): ZonedTime | undefined {
  if (text === 'yesterday' || text === 'tomorrow') return namedDay(text, now);
  const [, step, unit = ''] = PERIOD.exec(text) ?? [];
  if (step === undefined) return weekday(text, now);
  const start = startOf(now, LONG_UNITS[unit] ?? unit);
  return start && laterBy(start, stepOf(step), LONG_UNITS[unit] ?? unit);
}

/** Never today: alone and with `this` or `next` the coming weekday. */
function weekday(text: string, now: ZonedTime): ZonedTime | undefined {
  const [, step, name] = WEEKDAY.exec(text) ?? [];
  const index = name === undefined ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(name));
  if (index === -1) return undefined;
  const ahead = (index - wallClock(now).getUTCDay() + 7) % 7;
  return dayAway(step === 'last' ? ahead - 7 : ahead || 7, now);
}

function namedDay(text: string, now: ZonedTime): ZonedTime | undefined {
  const days = Object.hasOwn(DAYS_FROM_TODAY, text) ? DAYS_FROM_TODAY[text] : undefined;
  return days === undefined ? undefined : dayAway(days, now);
}

function dayAway(days: number, now: ZonedTime): ZonedTime | undefined {
  const today = startOf(now, 'day');
  return today && laterBy(today, days, 'day');
}

function stepOf(step: string): number {
  return step === 'last' ? -1 : step === 'next' ? 1 : 0;
}

function dateOf(time: ZonedTime): { year: number; month: number; day: number } {
  const local = wallClock(time);
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}
