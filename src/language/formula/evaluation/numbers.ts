import { isNumeric, type Numeric } from '../../../platform/json/exact-number.js';
import { round } from '../../values/arithmetic.js';
import { numericFromText } from '../../values/values.js';
import { TemplateError } from '../../../platform/text/template-error.js';

const NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?\s*$/;
const MAX_DIGITS = 400;

/** Returns a number, or the number that is the whole of a text; undefined for any other value. */
export function numericIn(value: unknown): Numeric | undefined {
  if (isNumeric(value)) return value;
  if (typeof value !== 'string' || value.length > MAX_DIGITS || !NUMBER.test(value)) return undefined;
  return numericFromText(value);
}

/** Returns the number nearest to `numericFrom`, for indices, lengths and approximate results. @throws TemplateError. */
export function numberFrom(value: unknown): number {
  return Number(numericFrom(value));
}

/**
 * Returns a number to calculate with. NULL counts as 0, so that a counter can start from an event that does not exist
 * yet; so does the empty text, which a pill makes of NULL.
 * @throws TemplateError for a value that is not a number.
 */
export function numericFrom(value: unknown): Numeric {
  if (value === undefined || value === null || value === '') return 0;
  const number = numericIn(value);
  if (number !== undefined) return number;
  if (typeof value === 'string') {
    throw new TemplateError(`${JSON.stringify(shortened(value))} is not a number (texts are joined with &)`);
  }
  const kind = Array.isArray(value) ? 'a list' : typeof value === 'boolean' ? String(value) : 'an object';
  throw new TemplateError(`${kind} is not a number`);
}

/** Returns the whole part of a number, with all its digits. @throws TemplateError. */
export function wholeNumericFrom(value: unknown): Numeric {
  return round(numericFrom(value), 0, 'towards 0');
}

/** Returns an integer: decimals are cut off. */
export function wholeFrom(value: unknown): number {
  return Math.trunc(numberFrom(value));
}

function shortened(text: string): string {
  return text.length > 50 ? `${text.slice(0, 50)}…` : text;
}

/**
 * Rounds an approximate result to 15 digits.
 * @throws TemplateError for a result that is not finite.
 */
export function tidy(result: number): number {
  presentNumber(result);
  return result === 0 || Number.isInteger(result) ? result + 0 : Number(result.toPrecision(15));
}

/** Returns the result of an operation. @throws TemplateError if it is not finite. */
export function presentNumber(result: Numeric): Numeric {
  if (isNumeric(result) && (typeof result !== 'number' || Number.isFinite(result))) return result;
  throw new TemplateError('the result is not a representable number');
}
