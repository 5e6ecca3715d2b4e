import { TemplateError } from '../../../platform/text/template-error.js';
import { isNothing, isRecord, textOf } from '../../values/values.js';
import { compareNumbers, isNumeric, type Numeric } from '../../../platform/json/exact-number.js';
import { add, divide, multiply, remainder, subtract } from '../../values/arithmetic.js';
import { numericFrom, numericIn, presentNumber } from './numbers.js';
import type { BinaryOperator } from '../parsing/syntax-tree.js';

type Operation = (left: unknown, right: unknown, step: (count?: number) => void) => unknown;

/** The operators; the evaluator handles `and` and `or`, which may skip their right side. */
export const OPERATIONS: Record<Exclude<BinaryOperator, 'and' | 'or'>, Operation> = {
  '=': (left, right, step) => isEqual(left, right, step),
  '<>': (left, right, step) => !isEqual(left, right, step),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '&': (left, right) => textOf(left) + textOf(right),
  '+': (left, right) => presentNumber(add(numericFrom(left), numericFrom(right))),
  '-': (left, right) => presentNumber(subtract(numericFrom(left), numericFrom(right))),
  '*': (left, right) => presentNumber(multiply(numericFrom(left), numericFrom(right))),
  '/': (left, right) => presentNumber(divide(numericFrom(left), divisor(right))),
  '%': (left, right) => remainder(numericFrom(left), divisor(right)),
};

/** Returns a divisor. @throws TemplateError for 0. */
export function divisor(value: unknown): Numeric {
  const number = numericFrom(value);
  if (number === 0) throw new TemplateError('divided by 0');
  return number;
}

/**
 * Compares by type and value, lists and objects by their content (the order of keys is ignored). A number
 * equals a text with that number, because pills convert numbers to texts.
 */
export function isEqual(left: unknown, right: unknown, step: (count?: number) => void): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  step();
  while (pending.length > 0) {
    const [a, b] = pending.pop() ?? [];
    if (a === b || (isNothing(a) && isNothing(b))) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      // Counts all elements before queueing them: a list may be longer than the steps that are left.
      step(a.length);
      for (const [index, item] of a.entries()) pending.push([item, b[index]]);
    } else if (isRecord(a) && isRecord(b)) {
      const keys = Object.keys(a);
      step(keys.length);
      if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return false;
      for (const key of keys) pending.push([a[key], b[key]]);
    } else if (!isSameNumber(a, b)) return false;
  }
  return true;
}

function isSameNumber(left: unknown, right: unknown): boolean {
  if (!isNumeric(left) && !isNumeric(right)) return false;
  const [a, b] = [numericIn(left), numericIn(right)];
  return a !== undefined && b !== undefined && compareNumbers(a, b) === 0;
}

/** Compares numbers, and texts that are numbers, by size; other texts by code point. NULL is neither less nor greater. */
function ordered(decide: (order: number) => boolean): Operation {
  return (left, right) => {
    const order = orderOf(left, right);
    return order !== undefined && decide(order);
  };
}

/** Returns a number below, equal to or above 0; undefined if the two values have no order. */
export function orderOf(left: unknown, right: unknown): number | undefined {
  const [a, b] = [numericIn(left), numericIn(right)];
  if (a !== undefined && b !== undefined) return compareNumbers(a, b);
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  return left < right ? -1 : Number(left > right);
}
