import { compareNumbers, decimalForm, type Numeric, readNumeric } from './exact-number.js';

/** Most digits of a number to compute with, and of a result: it bounds the time of one operation. */
const MAX_DIGITS = 1_000;
/** Digits of a quotient that does not end, and of a long product of decimals, as in IEEE 754 decimal128. */
const ROUNDED_DIGITS = 34;
/** Digits that JavaScript's own arithmetic keeps. */
const SURE_DIGITS = 15;
/** Decimals that `toFixed` writes. */
const MOST_FIXED_DECIMALS = 100;

/** A number with too many digits to compute with, such as `1e1000000`. */
export class TooManyDigits extends Error {
  constructor() {
    super(`numbers of more than ${MAX_DIGITS} digits can be passed on but not calculated with`);
  }
}

/** coefficient × 10^-scale. */
interface Scaled {
  coefficient: bigint;
  scale: number;
}

/** Returns the sum with all its digits. @throws TooManyDigits. */
export function sumOf(left: Numeric, right: Numeric): Numeric {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum) && Number.isInteger(left) && Number.isInteger(right)) return sum;
    if (!Number.isFinite(sum)) return sum;
    const decimals = sureDecimals(left, right);
    if (decimals !== undefined) return Number(sum.toFixed(decimals));
  }
  const [a, b, scale] = aligned(left, right);
  return numericOf({ coefficient: a + b, scale });
}

/** Returns the number with the other sign. */
export function negated(value: Numeric): Numeric {
  if (typeof value === 'number') return value === 0 ? 0 : -value;
  const text = String(value);
  return readNumeric(text.startsWith('-') ? text.slice(1) : `-${text}`);
}

/** Returns the number without its sign. */
export function absolute(value: Numeric): Numeric {
  return compareNumbers(value, 0) < 0 ? negated(value) : value;
}

/** Returns the product with all its digits; a long one of decimals is rounded to 34 digits. @throws TooManyDigits. */
export function productOf(left: Numeric, right: Numeric): Numeric {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    if (Number.isSafeInteger(product) && Number.isInteger(left) && Number.isInteger(right)) return product;
    if (!Number.isFinite(product)) return product;
  }
  const [a, b] = [scaled(left), scaled(right)];
  const product = { coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale };
  return numericOf(product.scale > 0 ? shortened(product) : product);
}

/** Returns the quotient, rounded to 34 digits if it has more. @throws TooManyDigits; RangeError for a divisor of 0. */
export function quotientOf(left: Numeric, right: Numeric): Numeric {
  const [a, b] = [scaled(left), scaled(right)];
  const shift = Math.max(0, ROUNDED_DIGITS + 1 + lengthOf(b.coefficient) - lengthOf(a.coefficient));
  const dividend = a.coefficient * powerOfTen(shift);
  const [quotient, scale] = [dividend / b.coefficient, a.scale - b.scale + shift];
  if (quotient * b.coefficient === dividend) return numericOf({ coefficient: quotient, scale });
  return numericOf(shortened({ coefficient: quotient, scale }));
}

/** Returns the whole number at or below the quotient. @throws TooManyDigits; RangeError for a divisor of 0. */
export function floorQuotientOf(left: Numeric, right: Numeric): Numeric {
  const [a, b] = aligned(left, right);
  return numericOf({ coefficient: floored(a, b), scale: 0 });
}

/** Returns what `floorQuotientOf` leaves, with the sign of the divisor. @throws TooManyDigits; RangeError for a divisor of 0. */
export function remainderOf(left: Numeric, right: Numeric): Numeric {
  const [a, b, scale] = aligned(left, right);
  return numericOf({ coefficient: a - floored(a, b) * b, scale });
}

/** Returns the number to that power, a whole number from 0 on. @throws TooManyDigits. */
export function powerOf(base: Numeric, exponent: number): Numeric {
  const { coefficient, scale } = scaled(base);
  if (exponent > MAX_DIGITS * 4 || lengthOf(coefficient) * exponent > MAX_DIGITS * 4)
    throw new TooManyDigits();
  const result = { coefficient: coefficient ** BigInt(exponent), scale: scale * exponent };
  return numericOf(result.scale > 0 ? shortened(result) : result);
}

/** How to round: to the nearest (halves away from 0), down, up, or towards 0. */
export type Rounding = 'nearest' | 'down' | 'up' | 'towards 0';

/** Rounds to `digits` decimals; below 0 to tens, hundreds and so on. @throws TooManyDigits. */
export function roundedBy(value: Numeric, digits: number, how: Rounding): Numeric {
  const { coefficient, scale } = scaled(value);
  if (scale <= digits) return value;
  return numericOf({ coefficient: ROUNDINGS[how](coefficient, powerOfTen(scale - digits)), scale: digits });
}

const ROUNDINGS: Record<Rounding, (value: bigint, unit: bigint) => bigint> = {
  nearest,
  down: floored,
  up: (value, unit) => -floored(-value, unit),
  'towards 0': (value, unit) => value / unit,
};

/** Returns the whole part. @throws TooManyDigits. */
export function wholePartOf(value: Numeric): bigint {
  const { coefficient, scale } = scaled(value);
  return scale > 0 ? coefficient / powerOfTen(scale) : coefficient * powerOfTen(-scale);
}

/** Returns the digits without an exponent, with at least that many decimals. @throws TooManyDigits. */
export function plainDigits(value: Numeric, decimals = 0): string {
  const { coefficient, scale } = scaled(value);
  const most = Math.max(scale, decimals);
  return textOf({ coefficient: coefficient * powerOfTen(most - scale), scale: most });
}

/** Returns true for a number without a fraction. */
export function isWhole(value: Numeric): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  const { digits, exponent } = decimalForm(String(value));
  return digits.length <= exponent || digits === '';
}

/** Returns the decimals of the sum of the two, if 15 digits hold it with all of them. */
function sureDecimals(left: number, right: number): number | undefined {
  const [a, b] = [decimalForm(String(left)), decimalForm(String(right))];
  const whole = Math.max(a.exponent, b.exponent) + 1;
  const decimals = Math.max(a.digits.length - a.exponent, b.digits.length - b.exponent, 0);
  return whole + decimals <= SURE_DIGITS && decimals <= MOST_FIXED_DECIMALS ? decimals : undefined;
}

function scaled(value: Numeric): Scaled {
  const { negative, digits, exponent } = decimalForm(String(value));
  const scale = digits.length - exponent;
  if (digits.length > MAX_DIGITS || Math.abs(exponent) > MAX_DIGITS) throw new TooManyDigits();
  const coefficient = BigInt(digits);
  return { coefficient: negative ? -coefficient : coefficient, scale };
}

/** Returns both coefficients with the same scale, and the scale. */
function aligned(left: Numeric, right: Numeric): [a: bigint, b: bigint, scale: number] {
  const [a, b] = [scaled(left), scaled(right)];
  const scale = Math.max(a.scale, b.scale);
  const at = (part: Scaled) => part.coefficient * powerOfTen(scale - part.scale);
  return [at(a), at(b), scale];
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function lengthOf(value: bigint): number {
  return String(value < 0n ? -value : value).length;
}

function floored(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const isExact = quotient * divisor === dividend;
  return isExact || dividend < 0n === divisor < 0n ? quotient : quotient - 1n;
}

function nearest(value: bigint, unit: bigint): bigint {
  const half = value < 0n ? -(unit / 2n) : unit / 2n;
  return (value + half) / unit;
}

/** Rounds to 34 digits. */
function shortened({ coefficient, scale }: Scaled): Scaled {
  const excess = lengthOf(coefficient) - ROUNDED_DIGITS;
  if (excess <= 0) return { coefficient, scale };
  return { coefficient: nearest(coefficient, powerOfTen(excess)), scale: scale - excess };
}

function numericOf(value: Scaled): Numeric {
  return readNumeric(
    textOf(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, ''),
  );
}

function textOf({ coefficient, scale }: Scaled): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = String(coefficient < 0n ? -coefficient : coefficient);
  if (digits.length + Math.max(-scale, 0) > MAX_DIGITS * 4) throw new TooManyDigits();
  if (scale <= 0) return sign + digits + (coefficient === 0n ? '' : '0'.repeat(-scale));
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
