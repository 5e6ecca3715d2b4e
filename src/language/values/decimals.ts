import { isWhole } from '../../platform/json/exact-arithmetic.js';
import { isNumeric } from '../../platform/json/exact-number.js';

/**
 * Returns true for a number with a fraction, or a text with a decimal point such as `2.0`. The number 2.0 itself is 2 in
 * JavaScript: so each language remembers how its literals are written.
 */
export function isFraction(value: unknown): boolean {
  if (isNumeric(value)) return !isWhole(value);
  return typeof value === 'string' && /^\s*[-+]?\d*\.\d/.test(value);
}
