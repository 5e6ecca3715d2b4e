import type { ZonedTime } from './zoned-time.js';

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const MONTHS =
  'January February March April May June July August September October November December'.split(' ');
const MAX_WIDTH = 100;
const DAY_MS = 86_400_000;

/** A number with its default width and padding, or a text. */
type Field = { number: number; width: number; pad?: string } | string;

/** A time in its zone: the UTC fields of `local` are the local time. */
interface Clock {
  local: Date;
  time: ZonedTime;
}

const two = (number: number, pad = '0'): Field => ({ number, width: 2, pad });
const hour12 = ({ local }: Clock) => local.getUTCHours() % 12 || 12;

const FIELDS: Record<string, (clock: Clock) => Field> = {
  Y: ({ local }) => ({ number: local.getUTCFullYear(), width: 4 }),
  C: ({ local }) => two(Math.floor(local.getUTCFullYear() / 100)),
  y: ({ local }) => two(local.getUTCFullYear() % 100),
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
  L: ({ local }) => ({ number: local.getUTCMilliseconds(), width: 3 }),
  P: ({ local }) => (local.getUTCHours() < 12 ? 'am' : 'pm'),
  p: ({ local }) => (local.getUTCHours() < 12 ? 'AM' : 'PM'),
  A: ({ local }) => DAYS[local.getUTCDay()] ?? '',
  a: ({ local }) => (DAYS[local.getUTCDay()] ?? '').slice(0, 3),
  u: ({ local }) => String(local.getUTCDay() || 7),
  w: ({ local }) => String(local.getUTCDay()),
  U: ({ local }) => two(Math.floor((dayOfYear(local) + 6 - local.getUTCDay()) / 7)),
  W: ({ local }) => two(Math.floor((dayOfYear(local) + 6 - ((local.getUTCDay() + 6) % 7)) / 7)),
  V: ({ local }) => two(isoWeek(local).week),
  G: ({ local }) => ({ number: isoWeek(local).year, width: 4 }),
  g: ({ local }) => two(isoWeek(local).year % 100),
  s: ({ time }) => String(Math.floor(time.epochMs / 1000)),
  Q: ({ time }) => String(time.epochMs),
  Z: ({ time }) => time.zoneName,
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
  v: '%e-%^b-%Y',
  '+': '%a %b %e %H:%M:%S %Z %Y',
};

/** Ruby's `strftime`: directives with flags (`-` no padding, `_` spaces, `0`, `^` upper case) and a width. */
export function strftime(time: ZonedTime, format: string): string {
  const clock = { time, local: new Date(time.epochMs + time.offsetMinutes * 60_000) };
  return write(clock, format);
}

const DIRECTIVE = /%([-_0^#]{0,5})(\d{0,3})(:{0,2})([A-Za-z%+])/g;

function write(clock: Clock, format: string): string {
  return format.replace(DIRECTIVE, (whole, ...groups: string[]) => {
    const [flags = '', width = '', colons = '', directive = ''] = groups;
    const modifiers = { flags, width: Math.min(Number(width), MAX_WIDTH), colons };
    return directiveText(clock, directive, modifiers) ?? whole;
  });
}

interface Modifiers {
  flags: string;
  width: number;
  colons: string;
}

function directiveText(
  clock: Clock,
  directive: string,
  { flags, width, colons }: Modifiers,
): string | undefined {
  if (directive === 'z') return offsetText(clock.time.offsetMinutes, colons);
  if (colons !== '') return undefined;
  if (directive === 'N') return fraction(clock.local.getUTCMilliseconds(), width || 9);
  if (directive === 'L' && width > 0) return fraction(clock.local.getUTCMilliseconds(), width);
  const compound = COMPOUNDS[directive];
  const field = compound === undefined ? FIELDS[directive]?.(clock) : write(clock, compound);
  return field === undefined ? undefined : fieldText(field, flags, width);
}

function fieldText(field: Field, flags: string, width: number): string {
  if (typeof field === 'string') {
    const text = flags.includes('^') || flags.includes('#') ? field.toUpperCase() : field;
    return text.padStart(width, flags.includes('0') ? '0' : ' ');
  }
  if (flags.includes('-')) return String(field.number);
  const pad = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : (field.pad ?? '0');
  return String(field.number).padStart(width || field.width, pad);
}

function fraction(milliseconds: number, digits: number): string {
  return String(milliseconds).padStart(3, '0').padEnd(digits, '0').slice(0, digits);
}

function offsetText(minutes: number, colons: string): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const separator = colons === '' ? '' : ':';
  const seconds = colons === '::' ? ':00' : '';
  const [hh, mm] = [hours, rest].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hh}${separator}${mm}${seconds}`;
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
}

/** ISO 8601: week 1 contains the year's first Thursday. */
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}
