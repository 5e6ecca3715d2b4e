import type { Problem } from '../errors.js';
import { fieldPath } from '../validation/validate.js';

/** A body without the key, as all real ones are, costs one scan of its text. */
const MAY_HOLD_KEY = /__proto__|\\u00/i;
const KEY = '__proto__';

/**
 * Removes each `__proto__` key from a JSON value; returns a problem for each. Schemas do not see this key, so it would be
 * the only unknown field that is accepted. It is not data but an attack on code that copies objects.
 */
export function takeRefusedKeys(text: string, value: unknown): Problem[] {
  if (!MAY_HOLD_KEY.test(text)) return [];
  return refusedIn(value, []);
}

function refusedIn(value: unknown, path: (string | number)[]): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => refusedIn(item, [...path, index]));
  return Object.entries(value).flatMap(([key, item]) => {
    const here = [...path, key];
    if (key !== KEY) return refusedIn(item, here);
    Reflect.deleteProperty(value, key);
    return [{ message: `"${fieldPath(here)}" is not allowed`, details: fieldPath(here) }];
  });
}
