import { type Context, defaultOperators, toValue } from 'liquidjs';
import { firstPlace } from '../../platform/text/find-text.js';
import { isNothing, isRecord, jsonOf, textOf } from '../values/values.js';
import { equals } from './equality.js';

type Operator = (left: unknown, right: unknown) => boolean;

/**
 * Liquid's comparisons with the results of the original platform: null is neither less nor greater than any value (in
 * JavaScript null counts as 0), and a text is compared as a number if the other side is a number.
 */
export const operators: typeof defaultOperators = {
  ...defaultOperators,
  '==': equals,
  *'!='(left: unknown, right: unknown, context: Context) {
    return !(yield equals(left, right, context));
  },
  '>': ordered((left, right) => left > right),
  '<': ordered((left, right) => left < right),
  '>=': ordered((left, right) => left >= right),
  '<=': ordered((left, right) => left <= right),
  contains: (left: unknown, right: unknown, context: Context) =>
    contains(toValue(left), toValue(right), () => context.renderLimit.check(performance.now())),
};

function ordered(compare: (left: number | string, right: number | string) => boolean): Operator {
  return (left, right) => {
    const [a, b] = [comparable(toValue(left)), comparable(toValue(right))];
    if (a === undefined || b === undefined) return false;
    if (typeof a === 'string' && typeof b === 'string') return compare(a, b);
    return compare(Number(a), Number(b));
  };
}

function comparable(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value;
  // The empty text would be 0.
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/**
 * Returns true if a text contains a part, a list an element, an object a key. A text also matches an object in a list if
 * its JSON contains it: stories use `headers | where: "name", "X" contains "dkim=pass"`.
 */
function contains(whole: unknown, part: unknown, checkTime: () => void): boolean {
  if (isNothing(whole) || isNothing(part)) return false;
  if (Array.isArray(whole)) {
    return whole.some((item) => {
      checkTime();
      return isSame(item, part) || hasText(item, part);
    });
  }
  if (typeof whole === 'string') return firstPlace(whole, textOf(part)) !== -1;
  return isRecord(whole) && Object.hasOwn(whole, textOf(part));
}

function isSame(item: unknown, part: unknown): boolean {
  if (typeof item !== 'object' || typeof part !== 'object') return item === part;
  return jsonOf(item) === jsonOf(part);
}

function hasText(item: unknown, part: unknown): boolean {
  return (
    isRecord(item) &&
    typeof part === 'string' &&
    part !== '' &&
    firstPlace(jsonOf(item), JSON.stringify(part).slice(1, -1)) !== -1
  );
}
