import { isJsonObject, type JsonValue } from '../json.js';
import { isNumeric } from './exact-number.js';

/** Returns true for equal values; the order of keys makes no difference, and numbers are compared as written. */
export function isEqualJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isNumeric(left) || isNumeric(right)) {
    return isNumeric(left) && isNumeric(right) && String(left) === String(right);
  }
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqualJson(item, right[index] ?? null))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqualJson(left[key] ?? null, right[key] ?? null))
  );
}
