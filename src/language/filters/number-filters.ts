import { TemplateError } from '../../platform/text/template-error.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import type { Numeric } from '../../platform/json/exact-number.js';
import {
  add,
  divide,
  floorDivide,
  greatest,
  least,
  magnitude,
  multiply,
  remainder,
  round,
  subtract,
} from '../values/arithmetic.js';
import { DECIMAL_ARITHMETIC } from '../values/decimal-arithmetic.js';
import { roundedTo } from '../values/rounding.js';
import { numberOf, numericOf, textOf, valueAt } from '../values/values.js';
import { flattened } from './lists/flattened.js';

type Operation = (left: Numeric, right: Numeric) => Numeric;
type OnFractions = (left: number, right: number) => number;

/** Arithmetic on numbers and on texts that start with one; anything else is 0. */
export const numberFilters: FilterTable = {
  plus: operation(add, DECIMAL_ARITHMETIC.plus),
  minus: operation(subtract, DECIMAL_ARITHMETIC.minus),
  times: operation(multiply, DECIMAL_ARITHMETIC.times),
  divided_by: divided,
  modulo: operation(modulo, refusing0(DECIMAL_ARITHMETIC.modulo)),
  at_least: operation(greatest, Math.max),
  at_most: operation(least, Math.min),
  abs: (value) => magnitude(numericOf(value)),
  ceil: (value) => round(numericOf(value), 0, 'up'),
  floor: (value) => round(numericOf(value), 0, 'down'),
  round: (value, { args: [digits] }) => roundedTo(numericOf(value), Math.trunc(numberOf(digits))),
  to_integer: (value) => (value === true ? 1 : round(numericOf(value), 0, 'towards 0')),
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

function sum(value: unknown, { args: [given], checkTime }: FilterCall): Numeric {
  const path = given === undefined ? undefined : textOf(given);
  return flattened(value).reduce<Numeric>((total, item) => {
    checkTime();
    return added(total, numericOf(path === undefined ? item : valueAt(item, path)));
  }, 0);
}

const added = exactly(add, DECIMAL_ARITHMETIC.plus);

function operation(compute: Operation, onFractions: OnFractions) {
  const apply = exactly(compute, onFractions);
  return (value: unknown, { args: [argument] }: { args: unknown[] }): Numeric =>
    apply(numericOf(value), numericOf(argument));
}

/** Uses the second operation for JavaScript numbers of which one has a fraction. */
function exactly(compute: Operation, onFractions: OnFractions): Operation {
  return (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') return compute(left, right);
    const areWhole = Number.isInteger(left) && Number.isInteger(right);
    return areWhole ? compute(left, right) : onFractions(left, right);
  };
}

/** Integers divide to an integer, rounded down, as in Liquid. */
function divided(value: unknown, { args: [argument], isDecimal }: FilterCall): Numeric {
  const [left, right] = [numericOf(value), numericOf(argument)];
  if (right === 0) throw new TemplateError('divided by 0');
  if (!isDecimal) return floorDivide(left, right);
  if (typeof left !== 'number' || typeof right !== 'number') return divide(left, right);
  return DECIMAL_ARITHMETIC.dividedBy(left, right);
}

function refusing0(compute: OnFractions): OnFractions {
  return (left, right) => {
    if (right === 0) throw new TemplateError('divided by 0');
    return compute(left, right);
  };
}

function modulo(left: Numeric, right: Numeric): Numeric {
  if (right === 0) throw new TemplateError('divided by 0');
  return remainder(left, right);
}
