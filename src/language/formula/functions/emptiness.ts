import { isNothing } from '../../values/values.js';

/** Returns true for NULL and the empty text, list and object. */
export function isEmpty(value: unknown): boolean {
  if (isNothing(value) || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
