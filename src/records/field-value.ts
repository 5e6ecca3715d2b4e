import { parseIsoTime } from '../platform/text/iso-time.js';
import type { RecordField, ResultType } from './types/record-type.js';

/**
 * A value as records keep it and lists show it: TEXT and TEXT_ENUM as text, NUMBER and BOOLEAN as such, TIMESTAMP as
 * `YYYY-MM-DD HH:MM:SS` in UTC, null when empty.
 */
export type FieldValue = string | number | boolean | null;

/** Longer texts are no field of a record. In bytes of UTF-8. */
export const MAX_TEXT_BYTES = 128 * 1024;

/** Sign, digits before the point, digits behind it, exponent. */
const NUMBER_TEXT = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** A longer text is no number that anybody means. In characters. */
const MAX_NUMBER_TEXT = 1_000;
const HALF_CHARACTER = /\p{Surrogate}/u;

/** How each type reads what it is given; undefined for what it does not take. */
const READERS: Record<ResultType, (raw: unknown) => FieldValue | undefined> = {
  TEXT: readText,
  TEXT_ENUM: readText,
  NUMBER: readNumber,
  BOOLEAN: readBoolean,
  TIMESTAMP: (raw) => {
    const time = typeof raw === 'string' ? parseIsoTime(raw) : undefined;
    return time === undefined ? undefined : secondsText(time);
  },
};

const EXPECTED: Record<ResultType, string> = {
  TEXT: `a text of at most ${MAX_TEXT_BYTES} bytes`,
  TEXT_ENUM: 'a text',
  NUMBER: `a number; beyond ±${Number.MAX_SAFE_INTEGER} only as text, and one that can be kept exactly`,
  BOOLEAN: 'true or false',
  TIMESTAMP: 'an ISO 8601 time such as 2026-11-21T10:00:00Z',
};

/** What became of a value: typed, or why it is not of the field's type. */
export type TypedValue = { value: FieldValue; problem?: undefined } | { problem: string };

/** A value for a record's field: null and "" make it empty. */
export function readFieldValue(
  field: Pick<RecordField, 'resultType' | 'fixedValues'>,
  raw: unknown,
): TypedValue {
  if (raw === null || raw === '') return { value: null };
  const typed = readTyped(field.resultType, raw);
  if (typed.problem !== undefined || field.resultType !== 'TEXT_ENUM') return typed;
  if (field.fixedValues.includes(String(typed.value))) return typed;
  return { problem: `must be one of ${field.fixedValues.join(', ')}` };
}

/** A value to compare with: of the type, and not empty but for "" of texts. */
export function readTyped(resultType: ResultType, raw: unknown): TypedValue {
  const value = READERS[resultType](raw);
  return value === undefined ? { problem: `must be ${EXPECTED[resultType]}` } : { value };
}

/** The value as the Record shape shows it (spec §6.2): text or null. */
export function valueText(value: FieldValue): string | null {
  return value === null ? null : String(value);
}

/** `YYYY-MM-DD HH:MM:SS`, UTC; what is finer is cut off. */
export function secondsText(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

function readText(raw: unknown): string | undefined {
  if (typeof raw === 'number') return isKept(raw, raw) ? String(raw) : undefined;
  if (typeof raw !== 'string' || HALF_CHARACTER.test(raw)) return undefined;
  return Buffer.byteLength(raw) <= MAX_TEXT_BYTES ? raw : undefined;
}

function readNumber(raw: unknown): number | undefined {
  if (typeof raw !== 'number' && typeof raw !== 'string') return undefined;
  if (typeof raw === 'string' && !isNumberText(raw)) return undefined;
  const number = Number(raw);
  if (!Number.isFinite(number) || !isKept(number, raw)) return undefined;
  // Adding 0 makes 0 of -0, which would have a key of its own.
  return number + 0;
}

function isNumberText(raw: string): boolean {
  return raw.length <= MAX_NUMBER_TEXT && NUMBER_TEXT.test(raw.trim());
}

/**
 * Whether this large number will be shown as it was given. Of a JSON number nobody can say: it was rounded before it came
 * here.
 */
function isKept(number: number, raw: string | number): boolean {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true;
  return typeof raw === 'string' && digitsOf(raw) === digitsOf(String(number));
}

/** A number's digits and the place of its point, the same for every way to write it: `12e3` for 12000, +12e3 and 1.2E4. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER_TEXT.exec(text.trim()) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

function readBoolean(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw !== 'string') return undefined;
  const word = raw.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
}
