import { COMPOUNDS, DAYS, MONTHS } from './strftime.js';
import { TemplateError } from '../template-error.js';
import { shortened } from '../values/shortened.js';

const MAX_CHARACTERS = 1_000;

/** The fields that a format has read from a text. */
export interface ReadTime {
  year?: number;
  /** From 1. */
  month?: number;
  day?: number;
  dayOfYear?: number;
  hour?: number;
  /** On a 12-hour clock. */
  hour12?: number;
  isAfternoon?: boolean;
  minute?: number;
  second?: number;
  millisecond?: number;
  offsetMinutes?: number;
  epochMs?: number;
}

interface Reader {
  pattern: RegExp;
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
const fraction: Reader = {
  pattern: /\d{1,12}/y,
  read: (text) => ({ millisecond: Number(text.padEnd(3, '0').slice(0, 3)) }),
};
const zone: Reader = {
  pattern: /[+-]\d\d(?::?\d\d)?|Z\b|UTC?|GMT|[ECMP][SD]T/iy,
  read: (text) => ({ offsetMinutes: offsetFrom(text) }),
};
const month = name(MONTHS, (index) => ({ month: index + 1 }));
const weekday = name(DAYS, () => ({}));
const hour = two((number) => ({ hour: number }));
const hour12 = two((number) => ({ hour12: number }));
const day = two((number) => ({ day: number }));
const half: Reader = {
  pattern: /[ap]\.?m\.?/iy,
  read: (text) => ({ isAfternoon: /^p/i.test(text) }),
};

const READERS: Record<string, Reader> = {
  Y: { pattern: /[+-]?\d{1,4}/y, read: (text) => ({ year: Number(text) }) },
  y: two((number) => ({ year: number + (number < 69 ? 2000 : 1900) })),
  m: two((number) => ({ month: number })),
  B: month,
  b: month,
  h: month,
  d: day,
  e: day,
  j: { pattern: /\d{1,3}/y, read: (text) => ({ dayOfYear: Number(text) }) },
  H: hour,
  k: hour,
  I: hour12,
  l: hour12,
  p: half,
  P: half,
  M: two((number) => ({ minute: number })),
  S: two((number) => ({ second: number })),
  L: fraction,
  N: fraction,
  A: weekday,
  a: weekday,
  u: { pattern: /[1-7]/y, read: () => ({}) },
  w: { pattern: /[0-6]/y, read: () => ({}) },
  z: zone,
  Z: zone,
  s: { pattern: /-?\d{1,15}/y, read: (text) => ({ epochMs: Number(text) * 1_000 }) },
  Q: { pattern: /-?\d{1,18}/y, read: (text) => ({ epochMs: Number(text) }) },
};

const PART = /%[-_0^#]{0,5}\d{0,3}:{0,2}([A-Za-z%+])|\s+|[\s\S]/gu;

/**
 * Ruby's `strptime`: reads a text by a format. White space in the format matches any or none; the rest of the text is
 * ignored.
 * @throws TemplateError if the text does not match, or the format has a directive that cannot be read.
 */
export function strptime(text: string, format: string): ReadTime {
  if (text.length > MAX_CHARACTERS || format.length > MAX_CHARACTERS)
    throw new TemplateError(`a time and its format have ${MAX_CHARACTERS} characters at most`);
  const whole = format.replace(/%([A-Za-z+])/g, (part, directive: string) => COMPOUNDS[directive] ?? part);
  const found: ReadTime = {};
  let position = 0;
  for (const [part, directive] of whole.matchAll(PART)) {
    const reader = directive === undefined ? undefined : READERS[directive];
    const pattern = reader?.pattern ?? plainPattern(part, directive);
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
    throw new TemplateError(`a time cannot be read by %${directive}`);
  return new RegExp((directive ?? part).replace(/[\^$\\.*+?()[\]{}|/]/, '\\$&'), 'uy');
}

const NAMED_OFFSETS: Record<string, number> = { E: -5, C: -6, M: -7, P: -8 };

function offsetFrom(text: string): number {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(text);
  if (match !== null) {
    const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
    return match[1] === '-' ? -minutes : minutes;
  }
  const winter = /^[ECMP][SD]T$/i.test(text) ? NAMED_OFFSETS[text.slice(0, 1).toUpperCase()] : undefined;
  return winter === undefined ? 0 : (winter + (/D/i.test(text) ? 1 : 0)) * 60;
}
