import { COMPOUNDS, DAYS, MONTHS } from './strftime.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { shortened } from '../../platform/text/shortened.js';
import { secondsOf } from './epoch-time.js';
import { offsetOf, ZONE_PATTERN } from './zone-offsets.js';

const MAX_CHARACTERS = 1_000;

/** The fields that a format has read from a text. */
export interface ReadTime {
  year?: number;
  century?: number;
  yearOfCentury?: number;
  /** From 1. */
  month?: number;
  day?: number;
  dayOfYear?: number;
  /** Year and number of an ISO 8601 week. */
  weekYear?: number;
  week?: number;
  /** Weeks of the calendar year, from 0: the first one begins with its first Sunday or Monday. */
  sundayWeek?: number;
  mondayWeek?: number;
  /** From 0, Sunday. */
  weekday?: number;
  hour?: number;
  isAfternoon?: boolean;
  minute?: number;
  second?: number;
  /** The digits of the second's fraction. */
  fraction?: string;
  offsetSeconds?: number;
  /** Seconds since 1970, in digits, with a fraction if there is one. */
  epoch?: string;
}

interface Reader {
  pattern: RegExp;
  /** Used where digits follow at once: `%Y%m` reads four digits of the year. */
  narrow?: RegExp;
  read: (text: string) => ReadTime;
}

const two = (read: (number: number) => ReadTime): Reader => ({
  pattern: / ?\d{1,2}/y,
  read: (text) => read(Number(text)),
});
const name = (names: readonly string[], read: (index: number) => ReadTime): Reader => ({
  pattern: new RegExp(names.map((full) => `${full}|${full.slice(0, 3)}`).join('|'), 'iy'),
  read: (text) =>
    read(names.findIndex((full) => full.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase())),
});
const yearOf = (read: (number: number) => ReadTime): Reader => ({
  pattern: /[+-]?\d{1,6}/y,
  narrow: /[+-]?\d{1,4}/y,
  read: (text) => read(Number(text)),
});
const fractionOf = (digits: number): Reader => ({
  pattern: /\d{1,24}/y,
  narrow: new RegExp(`\\d{1,${digits}}`, 'y'),
  read: (fraction) => ({ fraction }),
});
const zone: Reader = {
  pattern: new RegExp(ZONE_PATTERN, 'iy'),
  read: (text) => {
    const offset = offsetOf(text);
    if (offset === undefined) throw new TemplateError(`"${text}" is not an offset from UTC`);
    return { offsetSeconds: offset.offsetSeconds };
  },
};
const month = name(MONTHS, (index) => ({ month: index + 1 }));
const weekday = name(DAYS, (index) => ({ weekday: index }));
const hour = two((number) => ({ hour: number }));
/** 0 and 13 do not exist: NaN makes the time invalid. */
const hour12 = two((number) => ({ hour: number >= 1 && number <= 12 ? number : Number.NaN }));
const day = two((number) => ({ day: number }));
const half: Reader = {
  pattern: /[ap]\.?m\.?/iy,
  read: (text) => ({ isAfternoon: /^p/i.test(text) }),
};

const READERS: Record<string, Reader> = {
  Y: yearOf((year) => ({ year })),
  C: { pattern: /[+-]?\d{1,2}/y, read: (text) => ({ century: Number(text) }) },
  y: two((yearOfCentury) => ({ yearOfCentury })),
  m: two((number) => ({ month: number })),
  B: month,
  b: month,
  h: month,
  d: day,
  e: day,
  j: { pattern: /\d{1,3}/y, read: (text) => ({ dayOfYear: Number(text) }) },
  G: yearOf((weekYear) => ({ weekYear })),
  g: two((number) => ({ weekYear: number + (number < 69 ? 2000 : 1900) })),
  V: two((week) => ({ week })),
  U: two((sundayWeek) => ({ sundayWeek })),
  W: two((mondayWeek) => ({ mondayWeek })),
  H: hour,
  k: hour,
  I: hour12,
  l: hour12,
  p: half,
  P: half,
  M: two((number) => ({ minute: number })),
  S: two((number) => ({ second: number })),
  L: fractionOf(3),
  N: fractionOf(9),
  A: weekday,
  a: weekday,
  u: { pattern: /[1-7]/y, read: (text) => ({ weekday: Number(text) % 7 }) },
  w: { pattern: /[0-6]/y, read: (text) => ({ weekday: Number(text) }) },
  z: zone,
  Z: zone,
  s: { pattern: /-?\d{1,15}/y, read: (epoch) => ({ epoch }) },
  Q: { pattern: /-?\d{1,18}/y, read: (text) => ({ epoch: secondsOf(text) }) },
};

const PART = /%[-_0^#]{0,5}\d{0,3}:{0,3}[EO]?([A-Za-z%+])|\s+|[\s\S]/gu;
const DIGITS_NEXT = /^(?:\d|%[-_0^#]{0,5}\d{0,3}[EO]?[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy])/;

/**
 * Ruby's `strptime`: reads a text by a format. White space in the format matches any or none; the rest of the text is
 * ignored.
 * @throws TemplateError if the text does not match, or the format has a directive that cannot be read.
 */
export function strptime(text: string, format: string): ReadTime {
  if (text.length > MAX_CHARACTERS || format.length > MAX_CHARACTERS)
    throw new TemplateError(`a time and its format can have at most ${MAX_CHARACTERS} characters`);
  const whole = format.replace(/%([A-Za-z+])/g, (part, directive: string) => COMPOUNDS[directive] ?? part);
  const found: ReadTime = {};
  let position = 0;
  for (const { 0: part, 1: directive, index } of whole.matchAll(PART)) {
    const reader = directive === undefined ? undefined : READERS[directive];
    const digitsNext = DIGITS_NEXT.test(whole.slice(index + part.length, index + part.length + 12));
    const pattern =
      (digitsNext ? reader?.narrow : undefined) ?? reader?.pattern ?? plainPattern(part, directive);
    pattern.lastIndex = position;
    const read = pattern.exec(text)?.[0];
    if (read === undefined) {
      throw new TemplateError(`"${shortened(text, 50)}" does not have the form "${shortened(format, 50)}"`);
    }
    Object.assign(found, reader?.read(read.trim()));
    position += read.length;
  }
  return found;
}

/** Matches white space, `%%`, or a literal character. */
function plainPattern(part: string, directive: string | undefined): RegExp {
  if (directive === 'n' || directive === 't' || /^\s/.test(part)) return /\s*/y;
  if (directive !== undefined && directive !== '%')
    throw new TemplateError(`a time cannot be parsed with %${directive}`);
  return new RegExp((directive ?? part).replace(/[\^$\\.*+?()[\]{}|/]/, '\\$&'), 'uy');
}
