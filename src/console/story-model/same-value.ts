import { hasEntries, LongNumber } from '../text/exact-json.js';

/** Whether two values of JSON are equal, with all digits of numbers and the order of keys. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left instanceof LongNumber) return right instanceof LongNumber && left.text === right.text;
  if (!hasEntries(left) || !hasEntries(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const [ours, theirs] = [Object.entries(left), Object.entries(right)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value], at) => key === theirs[at]?.[0] && isSame(value, theirs[at][1]))
  );
}
