import {
  absolute,
  floorQuotientOf,
  negated,
  powerOf,
  productOf,
  quotientOf,
  remainderOf,
  roundedBy,
  sumOf,
  TooManyDigits,
} from '../../platform/json/exact-arithmetic.js';
import { compareNumbers, ExactNumber, type Numeric } from '../../platform/json/exact-number.js';
import { TemplateError } from '../../platform/text/template-error.js';

/*
 * Arithmetic of both languages: exact, where JavaScript's own would change digits (decision 0038). Each function throws
 * TemplateError for numbers of too many digits.
 */

export const add = limitedArithmetic(sumOf);
export const subtract = limitedArithmetic((left: Numeric, right: Numeric) => sumOf(left, negated(right)));
export const multiply = limitedArithmetic(productOf);
export const floorDivide = limitedArithmetic(floorQuotientOf);
export const remainder = limitedArithmetic(remainderOf);
export const round = limitedArithmetic(roundedBy);
export const magnitude = absolute;

/** Returns the quotient: of plain numbers with 15 digits, unless more are exact. */
export const divide = limitedArithmetic((left: Numeric, right: Numeric): Numeric => {
  if (needsDigits(left) || needsDigits(right)) return quotientOf(left, right);
  const quotient = Number(left) / Number(right);
  if (!Number.isFinite(quotient) || Number.isInteger(quotient)) return quotient;
  const short = Number(quotient.toPrecision(15));
  return short !== quotient && compareNumbers(productOf(quotient, right), left) === 0 ? quotient : short;
});

/** Returns the power; one of a decimal exponent is approximate. */
export const raise = limitedArithmetic((base: Numeric, exponent: Numeric): Numeric => {
  const approximate = Number(base) ** Number(exponent);
  const isExact = Number.isInteger(exponent) && Number(exponent) >= 0;
  if (!isExact || (Number.isSafeInteger(approximate) && !needsDigits(base))) return approximate;
  return powerOf(base, Number(exponent));
});

/** Returns the smaller of both. */
export function least(left: Numeric, right: Numeric): Numeric {
  return compareNumbers(left, right) <= 0 ? left : right;
}

/** Returns the larger of both. */
export function greatest(left: Numeric, right: Numeric): Numeric {
  return compareNumbers(left, right) >= 0 ? left : right;
}

/** Whether JavaScript's arithmetic would change digits of the number. */
function needsDigits(value: Numeric): boolean {
  return value instanceof ExactNumber || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

export function limitedArithmetic<Values extends unknown[], Result>(compute: (...values: Values) => Result) {
  return (...values: Values): Result => {
    try {
      return compute(...values);
    } catch (error) {
      if (error instanceof TooManyDigits) throw new TemplateError(error.message, { cause: error });
      throw error;
    }
  };
}
