import { ExactNumber, type Numeric } from '../../platform/json/exact-number.js';
import { round } from './arithmetic.js';

const MOST_DIGITS = 300;

/** Rounds to `digits` decimals (below 0: to tens, hundreds …), halves away from 0, based on decimal notation. */
export function roundedTo(value: Numeric, digits: number): Numeric {
  if (value instanceof ExactNumber)
    return round(value, Math.min(Math.max(digits, -MOST_DIGITS), MOST_DIGITS), 'nearest');
  if (!Number.isFinite(value) || digits > 15 || digits < -300) return digits < -300 ? 0 : value;
  const [digitsText = '0', exponent = '0'] = String(Math.abs(value)).split('e');
  const shifted = Math.round(Number(`${digitsText}e${Number(exponent) + digits}`));
  // A number so large has no digits behind the point.
  if (!Number.isFinite(shifted)) return value;
  const [shiftedText = '0', shiftedExponent = '0'] = String(shifted).split('e');
  const result = Number(`${shiftedText}e${Number(shiftedExponent) - digits}`);
  return value < 0 && result !== 0 ? -result : result;
}
