import { TemplateError } from '../template-error.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { DECIMAL_ARITHMETIC } from '../values/decimal-arithmetic.js';
import { roundedTo } from '../values/rounding.js';
import { numberOf, textOf, valueAt } from '../values/values.js';
import { flattened } from './flattened.js';

type Operation = (left: number, right: number) => number;

/** Arithmetic on numbers and on texts that start with one; anything else is 0. */
export const numberFilters: FilterTable = {
  plus: operation((left, right) => left + right, DECIMAL_ARITHMETIC.plus),
  minus: operation((left, right) => left - right, DECIMAL_ARITHMETIC.minus),
  times: operation((left, right) => left * right, DECIMAL_ARITHMETIC.times),
  divided_by: divided,
  modulo: operation(modulo, refusing0(DECIMAL_ARITHMETIC.modulo)),
  at_least: operation(Math.max, Math.max),
  at_most: operation(Math.min, Math.min),
  abs: (value) => Math.abs(numberOf(value)),
  ceil: (value) => Math.ceil(numberOf(value)),
  floor: (value) => Math.floor(numberOf(value)),
  round: (value, { args: [digits] }) => roundedTo(numberOf(value), Math.trunc(numberOf(digits))),
  to_integer: (value) => (value === true ? 1 : Math.trunc(numberOf(value))),
  sum,
};

/** Filters whose result is decimal if their value or argument is. */
export const ARITHMETIC_FILTERS: ReadonlySet<string> = new Set([
  'plus',
  'minus',
  'times',
  'divided_by',
  'modulo',
  'at_least',
  'at_most',
  'abs',
]);

function sum(value: unknown, { args: [given], checkTime }: FilterCall): number {
  const path = given === undefined ? undefined : textOf(given);
  return flattened(value).reduce<number>((total, item) => {
    checkTime();
    return added(total, numberOf(path === undefined ? item : valueAt(item, path)));
  }, 0);
}

const added = exactly((left, right) => left + right, DECIMAL_ARITHMETIC.plus);

function operation(compute: Operation, onFractions: Operation) {
  const apply = exactly(compute, onFractions);
  return (value: unknown, { args: [argument] }: { args: unknown[] }): number =>
    apply(numberOf(value), numberOf(argument));
}

/** Uses the second operation if one of the numbers has a fraction. */
function exactly(onIntegers: Operation, onFractions: Operation): Operation {
  return (left, right) =>
    Number.isInteger(left) && Number.isInteger(right) ? onIntegers(left, right) : onFractions(left, right);
}

/** Rounds decimal results of formulas: 0.1 + 0.2 is 0.3. */
export function tidy(result: number): number {
  return Number.isInteger(result) || !Number.isFinite(result) ? result : Number(result.toPrecision(15));
}

/** Integers divide to an integer, rounded down, as in Liquid. */
function divided(value: unknown, { args: [argument], isDecimal }: FilterCall): number {
  const [left, right] = [numberOf(value), numberOf(argument)];
  if (right === 0) throw new TemplateError('divided by 0');
  return isDecimal ? DECIMAL_ARITHMETIC.dividedBy(left, right) : Math.floor(left / right);
}

function refusing0(compute: Operation): Operation {
  return (left, right) => {
    if (right === 0) throw new TemplateError('divided by 0');
    return compute(left, right);
  };
}

function modulo(left: number, right: number): number {
  if (right === 0) throw new TemplateError('divided by 0');
  return ((left % right) + right) % right;
}
