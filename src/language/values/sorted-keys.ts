import { MAX_OUTPUT_CHARACTERS } from '../limits.js';
import { isRecord } from './values.js';
import { sizeWithin } from './value-size.js';

/**
 * Returns the value with the keys of all its objects in one order, so that equal objects have the same JSON.
 * @throws TemplateError for a value that is too large or too deep.
 */
export function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  sizeWithin(value, MAX_OUTPUT_CHARACTERS);
  return sorted(value);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key, sorted(one)]);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
