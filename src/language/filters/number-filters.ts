import { TemplateError } from '../template-error.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { listOf, numberOf, textOf, valueAt } from '../values/values.js';

type Operation = (left: number, right: number) => number;

/** Arithmetic on numbers and on texts that start with one; anything else is 0. */
export const numberFilters: FilterTable = {
  plus: operation((left, right) => left + right),
  minus: operation((left, right) => left - right),
  times: operation((left, right) => left * right),
  divided_by: divided,
  modulo: operation(modulo),
  at_least: operation(Math.max),
  at_most: operation(Math.min),
  abs: (value) => Math.abs(numberOf(value)),
  ceil: (value) => Math.ceil(numberOf(value)),
  floor: (value) => Math.floor(numberOf(value)),
  round: (value, { args: [digits] }) => rounded(numberOf(value), Math.trunc(numberOf(digits))),
  to_integer: (value) => Math.trunc(numberOf(value)),
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
  return listOf(value).reduce<number>((total, item) => {
    checkTime();
    return tidy(total + numberOf(path === undefined ? item : valueAt(item, path)));
  }, 0);
}

function operation(compute: Operation) {
  return (value: unknown, { args: [argument] }: { args: unknown[] }): number =>
    tidy(compute(numberOf(value), numberOf(argument)));
}

/** Rounds decimal results: 0.1 + 0.2 is 0.3, as in the decimal arithmetic of the original platform. */
export function tidy(result: number): number {
  return Number.isInteger(result) || !Number.isFinite(result) ? result : Number(result.toPrecision(15));
}

/** Integers divide to an integer, rounded down, as in Liquid. */
function divided(value: unknown, { args: [argument], isDecimal }: FilterCall): number {
  const [left, right] = [numberOf(value), numberOf(argument)];
  if (right === 0) throw new TemplateError('divided by 0');
  return isDecimal ? tidy(left / right) : Math.floor(left / right);
}

function modulo(left: number, right: number): number {
  if (right === 0) throw new TemplateError('divided by 0');
  return ((left % right) + right) % right;
}

function rounded(value: number, digits: number): number {
  if (digits === 0 || Math.abs(digits) > 15) return Math.round(value);
  const result = Number(`${Math.round(Number(`${value}e${digits}`))}e${-digits}`);
  // Very large and very small numbers already have an exponent.
  if (Number.isNaN(result)) return Math.abs(value) < 1 ? 0 : value;
  return result;
}
