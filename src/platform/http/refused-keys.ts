import type { Problem } from '../errors.js';
import { fieldPath } from '../validation/validate.js';

/** Bodies without it, which are all real ones, cost one look at their text. */
const MAY_HOLD_KEY = /__proto__|\\u00/i;
const KEY = '__proto__';

/**
 * Takes each `__proto__` out of a JSON value, and gives a problem for it. Schemas do not see this key, so it would be the
 * one unknown field that is not refused; and it is not data but an attack on code that copies objects.
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
