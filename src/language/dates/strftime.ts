import { midnightOf } from '../../platform/time/calendar-day.js';
import { nanosOfSecond, wallClock, type ZonedTime } from './zoned-time.js';

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const MONTHS =
  'January February March April May June July August September October November December'.split(' ');
const MAX_WIDTH = 100;
const DAY_MS = 86_400_000;

/** A number with its default width and padding, or a text. `lower`: the flag `#` gives small letters. */
type Field = { number: number; width: number; pad?: string } | { lower: string } | string;

/** A time in its zone: the UTC fields of `local` are the local time. */
interface Clock {
  local: Date;
  time: ZonedTime;
}

const two = (number: number, pad = '0'): Field => ({ number, width: 2, pad });
const one = (number: number): Field => ({ number, width: 1 });
const hour12 = ({ local }: Clock) => local.getUTCHours() % 12 || 12;
/** Before year 0 the sign adds a character. */
const year = (number: number): Field => ({ number, width: number < 0 ? 5 : 4 });
const inCentury = (number: number): Field => two(((number % 100) + 100) % 100);

const FIELDS: Record<string, (clock: Clock) => Field> = {
  Y: ({ local }) => year(local.getUTCFullYear()),
  C: ({ local }) => two(Math.floor(local.getUTCFullYear() / 100)),
  y: ({ local }) => inCentury(local.getUTCFullYear()),
  m: ({ local }) => two(local.getUTCMonth() + 1),
  B: ({ local }) => MONTHS[local.getUTCMonth()] ?? '',
  b: ({ local }) => (MONTHS[local.getUTCMonth()] ?? '').slice(0, 3),
  h: ({ local }) => (MONTHS[local.getUTCMonth()] ?? '').slice(0, 3),
  d: ({ local }) => two(local.getUTCDate()),
  e: ({ local }) => two(local.getUTCDate(), ' '),
  j: ({ local }) => ({ number: dayOfYear(local), width: 3 }),
  H: ({ local }) => two(local.getUTCHours()),
  k: ({ local }) => two(local.getUTCHours(), ' '),
  I: (clock) => two(hour12(clock)),
  l: (clock) => two(hour12(clock), ' '),
  M: ({ local }) => two(local.getUTCMinutes()),
  S: ({ local }) => two(local.getUTCSeconds()),
  P: ({ local }) => (local.getUTCHours() < 12 ? 'am' : 'pm'),
  p: ({ local }) => ({ lower: local.getUTCHours() < 12 ? 'AM' : 'PM' }),
  A: ({ local }) => DAYS[local.getUTCDay()] ?? '',
  a: ({ local }) => (DAYS[local.getUTCDay()] ?? '').slice(0, 3),
  u: ({ local }) => one(local.getUTCDay() || 7),
  w: ({ local }) => one(local.getUTCDay()),
  U: ({ local }) => two(Math.floor((dayOfYear(local) + 6 - local.getUTCDay()) / 7)),
  W: ({ local }) => two(Math.floor((dayOfYear(local) + 6 - ((local.getUTCDay() + 6) % 7)) / 7)),
  V: ({ local }) => two(isoWeek(local).week),
  G: ({ local }) => year(isoWeek(local).year),
  g: ({ local }) => inCentury(isoWeek(local).year),
  s: ({ time }) => one(Math.floor(time.epochMs / 1000)),
  Q: ({ time }) => one(time.epochMs),
  Z: ({ time }) => ({ lower: time.zoneName }),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

/** Directives that are short for others. */
export const COMPOUNDS: Record<string, string> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  v: '%e-%^b-%4Y',
  '+': '%a %b %e %H:%M:%S %Z %Y',
};

/** Directives that may stand behind `E` or `O` (the forms of other calendars), which change nothing here. */
const MODIFIED: Record<string, string> = { '': '', E: 'cCxXyY', O: 'deHkIlmMSuUVwWy' };

/**
 * Ruby's `strftime`: directives with flags (`-` no padding, `_` spaces, `0`, `^` upper case, `#` the other case), a width, and
 * `E` or `O`. What is no directive stays as it is.
 */
export function strftime(time: ZonedTime, format: string): string {
  return write({ time, local: wallClock(time) }, format);
}

const DIRECTIVE = /%([-_0^#]{0,5})(\d{0,3})(:{0,3})([EO]?)([A-Za-z%+])/g;

function write(clock: Clock, format: string): string {
  return format.replace(DIRECTIVE, (whole, ...groups: string[]) => {
    const [flags = '', width = '', colons = '', modifier = '', directive = ''] = groups;
    if (modifier !== '' && MODIFIED[modifier]?.includes(directive) !== true) return whole;
    const modifiers = { flags, width: Math.min(Number(width), MAX_WIDTH), colons };
    return directiveText(clock, directive, modifiers) ?? whole;
  });
}

interface Modifiers {
  flags: string;
  width: number;
  colons: string;
}

function directiveText(clock: Clock, directive: string, modifiers: Modifiers): string | undefined {
  const { flags, width, colons } = modifiers;
  if (directive === 'z') return offsetText(clock.time, modifiers);
  if (colons !== '') return undefined;
  if (directive === 'N') return fraction(clock.time, width || 9);
  if (directive === 'L') return fraction(clock.time, width || 3);
  const compound = COMPOUNDS[directive];
  if (compound !== undefined) {
    const text = write(clock, compound);
    return padded(flags.includes('^') ? text.toUpperCase() : text, width, paddingOf(flags) ?? ' ');
  }
  const field = FIELDS[directive]?.(clock);
  return field === undefined ? undefined : fieldText(field, flags, width);
}

function fieldText(field: Field, flags: string, width: number): string {
  if (typeof field === 'object' && 'number' in field) {
    if (flags.includes('-')) return String(field.number);
    return padded(String(field.number), width || field.width, paddingOf(flags) ?? field.pad ?? '0');
  }
  const text = inCase(field, flags);
  return text === '' || flags.includes('-') ? text : padded(text, width, paddingOf(flags) ?? ' ');
}

function inCase(field: string | { lower: string }, flags: string): string {
  const text = typeof field === 'string' ? field : field.lower;
  if (flags.includes('#')) return typeof field === 'string' ? text.toUpperCase() : text.toLowerCase();
  return flags.includes('^') ? text.toUpperCase() : text;
}

/** Returns the padding; the last of several flags counts. */
function paddingOf(flags: string): string | undefined {
  const last = flags.replace(/[^_0]/g, '').at(-1);
  return last === '_' ? ' ' : last;
}

/** Zeros stand behind a sign, spaces before it. */
function padded(text: string, width: number, pad: string): string {
  const sign = pad === '0' && /^-\d/.test(text) ? '-' : '';
  return sign + text.slice(sign.length).padStart(width - sign.length, pad);
}

function fraction(time: ZonedTime, digits: number): string {
  return String(nanosOfSecond(time)).padStart(9, '0').padEnd(digits, '0').slice(0, digits);
}

/**
 * `%z` is +0100, `%:z` +01:00, `%::z` +01:00:00; `%:::z` has the parts that are not 0. `%-z` of UTC is -0000, as in Ruby.
 */
function offsetText(time: ZonedTime, { flags, width, colons }: Modifiers): string {
  const { offsetSeconds: seconds, zoneName } = time;
  const size = Math.abs(seconds);
  const [hours, ...parts] = [size / 3_600, (size / 60) % 60, size % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  const needed = size % 60 !== 0 ? 2 : size % 3_600 !== 0 ? 1 : 0;
  const count = colons === ':::' ? needed : colons === '::' ? 2 : 1;
  const rest = parts.slice(0, count).map((part) => (colons === '' ? part : `:${part}`));
  const isMinus = seconds < 0 || (zoneName === 'UTC' && flags.includes('-'));
  const sign = isMinus ? '-' : '+';
  if (paddingOf(flags) === ' ' && !flags.includes('-')) {
    const text = `${sign}${Number(hours)}${rest.join('')}`;
    return text.padStart(Math.max(width, 3 + rest.join('').length));
  }
  const digits = `${hours}${rest.join('')}`;
  return sign + digits.padStart(width - 1, '0');
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - midnightOf(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
}

/** ISO 8601: week 1 contains the year's first Thursday. */
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}
