import { parseIsoTime } from '../../platform/time/iso-time.js';
import type { RecordField, ResultType } from './types/record-type.js';

/**
 * A value as records store it and lists return it: TEXT and TEXT_ENUM as text, NUMBER and BOOLEAN as such, TIMESTAMP as
 * `YYYY-MM-DD HH:MM:SS` in UTC, null if empty.
 */
export type FieldValue = string | number | boolean | null;

/** Maximum length of a field's text, in bytes of UTF-8. */
const MAX_TEXT_BYTES = 128 * 1024;

/** Sign, digits before the point, digits after it, exponent. */
const NUMBER_TEXT = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Maximum length of a number as text, in characters. */
const MAX_NUMBER_TEXT = 1_000;
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Converts an input to each type; undefined for an invalid input. */
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
  NUMBER: `a number; beyond ±${Number.MAX_SAFE_INTEGER} only as text, and only if it can be stored exactly`,
  BOOLEAN: 'true or false',
  TIMESTAMP: 'an ISO 8601 time such as 2026-11-21T10:00:00Z',
};

/** The typed value, or the reason why the input does not fit the field's type. */
export type TypedFieldValue = { value: FieldValue; problem?: undefined } | { problem: string };

/** Converts an input for a record's field: null and "" make it empty. */
export function readFieldValue(
  field: Pick<RecordField, 'resultType' | 'fixedValues'>,
  raw: unknown,
): TypedFieldValue {
  if (raw === null || raw === '') return { value: null };
  const typed = readTyped(field.resultType, raw);
  if (typed.problem !== undefined || field.resultType !== 'TEXT_ENUM') return typed;
  if (field.fixedValues.includes(String(typed.value))) return typed;
  return { problem: `must be one of ${field.fixedValues.join(', ')}` };
}

/** Converts a value to compare with: it has the field's type, and only texts may be empty. */
export function readTyped(resultType: ResultType, raw: unknown): TypedFieldValue {
  const value = READERS[resultType](raw);
  return value === undefined ? { problem: `must be ${EXPECTED[resultType]}` } : { value };
}

/** Returns the value in the Record shape (spec §6.2): text or null. */
export function valueText(value: FieldValue): string | null {
  return value === null ? null : String(value);
}

/** Formats as `YYYY-MM-DD HH:MM:SS` in UTC; fractions of a second are cut off. */
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
  // Adding 0 turns -0 into 0; otherwise -0 would have a sort key of its own.
  return number + 0;
}

function isNumberText(raw: string): boolean {
  return raw.length <= MAX_NUMBER_TEXT && NUMBER_TEXT.test(raw.trim());
}

/**
 * Whether this large number will be returned exactly as given. Never true for a large JSON number: parsing may already
 * have rounded it.
 */
function isKept(number: number, raw: string | number): boolean {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true;
  return typeof raw === 'string' && digitsOf(raw) === digitsOf(String(number));
}

/** Returns a number's digits and exponent in one form for every notation: `12e3` for 12000, +12e3 and 1.2E4. */
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
