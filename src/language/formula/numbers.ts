import { tidy as tidied } from '../filters/number-filters.js';
import { TemplateError } from '../template-error.js';

const NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?\s*$/;
const MAX_DIGITS = 400;

/** Returns a number, or the number that is the whole of a text; undefined for any other value. */
export function numericOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_DIGITS || !NUMBER.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/**
 * Returns a number to calculate with. NULL counts as 0, so that a counter can start from an event that does not exist
 * yet; so does the empty text, which a pill makes of NULL.
 * @throws TemplateError for a value that is not a number.
 */
export function numberFrom(value: unknown): number {
  if (value === undefined || value === null || value === '') return 0;
  const number = numericOf(value);
  if (number !== undefined) return number;
  if (typeof value === 'string') {
    throw new TemplateError(`${JSON.stringify(shortened(value))} is not a number (texts are joined with &)`);
  }
  const kind = Array.isArray(value) ? 'a list' : typeof value === 'boolean' ? String(value) : 'an object';
  throw new TemplateError(`${kind} is not a number`);
}

/** Returns an integer: decimals are cut off. */
export function wholeFrom(value: unknown): number {
  return Math.trunc(numberFrom(value));
}

function shortened(text: string): string {
  return text.length > 50 ? `${text.slice(0, 50)}…` : text;
}

/**
 * Rounds decimal results: 0.1 + 0.2 is 0.3.
 * @throws TemplateError for a result that is not finite.
 */
export function tidy(result: number): number {
  if (!Number.isFinite(result)) throw new TemplateError('the result is not a number that can be shown');
  return result === 0 ? 0 : tidied(result);
}
