import { hasEntries, LongNumber } from '../text/exact-json.js';

/** Whether two values of JSON are equal, with all digits of numbers and the order of keys. */
export function isSame(left: unknown, right: unknown): boolean {
  return isEqual(left, right, true);
}

/** Whether two values of JSON are equal, with all digits of numbers, in whatever order their keys are. */
export function isAlike(left: unknown, right: unknown): boolean {
  return isEqual(left, right, false);
}

function isEqual(left: unknown, right: unknown, inOrder: boolean): boolean {
  if (left === right) return true;
  if (left instanceof LongNumber) return right instanceof LongNumber && left.text === right.text;
  if (!hasEntries(left) || !hasEntries(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const [ours, theirs] = [Object.entries(left), Object.entries(right)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value], at) => {
      const other = inOrder ? theirs[at]?.[0] === key : Object.hasOwn(right, key);
      return other && isEqual(value, Reflect.get(right, key), inOrder);
    })
  );
}
