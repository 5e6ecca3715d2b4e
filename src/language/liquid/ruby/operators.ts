import { type Context, defaultOperators, toValue } from 'liquidjs';
import { firstPlace } from '../../../platform/text/find-text.js';
import { compareNumbers, isNumeric, type Numeric } from '../../../platform/json/exact-number.js';
import { isNothing, isRecord, jsonOf, numericFromText, textOf } from '../../values/values.js';
import { normalForm } from '../../values/normal-form.js';
import { refuseSignatures } from '../../secrets/compared-secret.js';
import { equals } from './equality.js';

type Operator = (left: unknown, right: unknown) => boolean;

/**
 * Liquid's comparisons with the results of the original platform: null is neither less nor greater than any value (in
 * JavaScript null counts as 0), and a text is compared as a number if the other side is a number.
 */
export const operators: typeof defaultOperators = {
  ...defaultOperators,
  *'=='(left: unknown, right: unknown, context: Context) {
    refuseSignatures(toValue(left), toValue(right));
    return (yield equals(left, right, context)) as boolean;
  },
  *'!='(left: unknown, right: unknown, context: Context) {
    refuseSignatures(toValue(left), toValue(right));
    return !(yield equals(left, right, context));
  },
  '>': ordered((order) => order > 0),
  '<': ordered((order) => order < 0),
  '>=': ordered((order) => order >= 0),
  '<=': ordered((order) => order <= 0),
  contains: (left: unknown, right: unknown, context: Context) =>
    contains(toValue(left), toValue(right), () => context.renderLimit.check(performance.now())),
};

function ordered(decide: (order: number) => boolean): Operator {
  return (left, right) => {
    const [a, b] = [comparable(toValue(left)), comparable(toValue(right))];
    if (a === undefined || b === undefined) return false;
    if (typeof a === 'string' && typeof b === 'string') return decide(a < b ? -1 : Number(a > b));
    const [first, second] = [numberIn(a), numberIn(b)];
    return first !== undefined && second !== undefined && decide(compareNumbers(first, second));
  };
}

/** Returns the number that a whole text is; undefined for any other text. */
function numberIn(value: Numeric | string): Numeric | undefined {
  if (typeof value !== 'string') return value;
  const number = Number(value);
  // A blank text would be 0.
  if (Number.isNaN(number) || value.trim() === '') return undefined;
  return DECIMAL.test(value) ? numericFromText(value) : number;
}

const DECIMAL = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

function comparable(value: unknown): Numeric | string | undefined {
  if (isNumeric(value)) return value;
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns true if a text contains a part, a list an element, an object a key; nothing contains null or false. A text also matches an object in a list if
 * its JSON contains it: stories use `headers | where: "name", "X" contains "dkim=pass"`.
 */
function contains(whole: unknown, part: unknown, checkTime: () => void): boolean {
  if (isNothing(whole) || isNothing(part) || part === false) return false;
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
  if (isNumeric(item) && isNumeric(part)) return compareNumbers(item, part) === 0;
  if (typeof item !== 'object' || typeof part !== 'object') return item === part;
  return jsonOf(normalForm(item)) === jsonOf(normalForm(part));
}

function hasText(item: unknown, part: unknown): boolean {
  return (
    isRecord(item) &&
    typeof part === 'string' &&
    part !== '' &&
    firstPlace(jsonOf(item), JSON.stringify(part).slice(1, -1)) !== -1
  );
}
