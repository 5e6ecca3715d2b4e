import { ExactNumber, plainNotation } from '../../platform/json/exact-number.js';
import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { isRecord } from './values.js';
import { sizeWithin } from './value-size.js';

/**
 * Returns the value in a form whose JSON is the same for all equal values: the keys of its objects in one order, and its
 * numbers in one notation.
 * @throws TemplateError for a value that is too large or too deep.
 */
export function normalForm(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  sizeWithin(value, MAX_OUTPUT_CHARACTERS);
  return normal(value);
}

function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (value instanceof ExactNumber) return plainNotation(value);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key, normal(one)]);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
