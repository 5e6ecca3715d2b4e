import { toValue } from 'liquidjs';
import { escapedOnceMore } from '../../platform/secrets/secret-reference.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { sizeWithin } from './value-size.js';
import { MAX_LIST_ELEMENTS, MAX_OUTPUT_CHARACTERS } from '../limits.js';
import {
  ExactNumber,
  isNumeric,
  type Numeric,
  readNumeric,
  stringifyJson,
} from '../../platform/json/exact-number.js';

/** Returns a value as text: empty for null, JSON for lists and objects (spec §8.2). */
export function textOf(given: unknown): string {
  const value: unknown = toValue(given);
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isNumeric(value) || typeof value === 'boolean') return String(value);
  return jsonOf(value);
}

/**
 * @param space spaces of indentation; 0 for one line.
 * @throws TemplateError when the text would be too large.
 */
export function jsonOf(value: unknown, space = 0): string {
  sizeWithin(value, MAX_OUTPUT_CHARACTERS, { indent: space });
  return escapedOnceMore(stringifyJson(value ?? null, space));
}

/** Returns a list unchanged, an empty list for null, and a list with any other value as its only element. */
export function listOf(given: unknown): unknown[] {
  const value: unknown = toValue(given);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [value];
  if (value.length > MAX_LIST_ELEMENTS) {
    throw new TemplateError(
      `A list of ${value.length} elements is too long for a filter (${MAX_LIST_ELEMENTS})`,
    );
  }
  return value;
}

/** A text that is a decimal as a whole counts with its fraction; of any other the whole number at its start. */
const WHOLE_DECIMAL = /^\s*-?\d+\.\d+\s*$/;
/** As Ruby's `to_i` reads it: digits may have single underscores between them. */
const INTEGER_AT_START = /^\s*[-+]?\d+(?:_\d+)*/;

/** Returns true for a text that Ruby's Liquid reads as a decimal. */
export function isDecimalText(text: string): boolean {
  return WHOLE_DECIMAL.test(text);
}

/** Returns a number, or that of a text as Ruby's Liquid reads it; anything else is 0. */
export function numberOf(given: unknown): number {
  return Number(numericOf(given));
}

/** The same with all its digits. */
export function numericOf(given: unknown): Numeric {
  const value: unknown = toValue(given);
  if (isNumeric(value)) return value;
  if (typeof value !== 'string') return 0;
  if (isDecimalText(value)) return numericFromText(value);
  const [digits] = INTEGER_AT_START.exec(value) ?? [];
  return digits === undefined ? 0 : numericFromText(digits.replaceAll('_', ''));
}

/** Returns the number that a text is, which may have white space, a plus sign and other things that JSON has not. */
export function numericFromText(text: string): Numeric {
  const digits = text.trim().replace(/^\+/, '');
  return readNumeric(
    digits
      .replace(/^(-?)0*(?=\d)/, '$1')
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?!\d)/, ''),
  );
}

/** Returns true for an object: neither a list nor null, nor an exact number. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** Returns true for values that Liquid treats as absent, in `default`, `compact` and others. */
export function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/**
 * Returns the value at a dotted path (`a.b[0].c`, `['odd key']`); own properties only. A key equal to the whole path
 * takes precedence.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (isRecord(value) && Object.hasOwn(value, path)) return value[path];
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  return stepsOf(path).reduce<unknown>(stepInto, value);
}

/** A longer text can only be a key. */
const MAX_PATH_CHARACTERS = 1_000;

function stepsOf(path: string): string[] {
  return [...path.matchAll(/\[\s*(?:"([^"]*)"|'([^']*)'|([^\]]*))\]|([^.[\]]+)/g)].map(
    ([, double, single, bare, plain]) => double ?? single ?? bare ?? plain ?? '',
  );
}

/** Returns the value at one key or index: own properties, and `first`, `last`, `size`. Undefined: none. */
export function stepInto(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return stepIntoList(value, step);
  if (typeof value === 'string') return step === 'size' ? value.length : undefined;
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, step)) return value[step];
  return step === 'size' ? Object.keys(value).length : undefined;
}

function stepIntoList(list: unknown[], step: string): unknown {
  if (step === 'first') return list[0];
  if (step === 'last') return list.at(-1);
  if (step === 'size') return list.length;
  return /^-?\d+$/.test(step) ? list.at(Number(step)) : undefined;
}
