/** A decimal number as ±0.DIGITS × 10^EXPONENT, so that its size is known without its zeros. */
export interface DecimalForm {
  negative: boolean;
  /** Without zeros at either end; empty for 0. */
  digits: string;
  exponent: number;
}

/** An exponent beyond this counts as this: no number can be computed with it, only carried. */
const FURTHEST_EXPONENT = 1_000_000_000_000_000;
/** Beyond it, a number is written with an exponent. */
const MOST_PLAIN_DIGITS = 100;
const ZERO: DecimalForm = { negative: false, digits: '', exponent: 0 };

/** Returns the form of a number as JSON or JavaScript writes it: `-12.50`, `1e+21`. */
export function decimalForm(text: string): DecimalForm {
  const negative = text.startsWith('-');
  const e = text.search(/e/i);
  const [whole = '', fraction = ''] = text.slice(negative ? 1 : 0, e === -1 ? undefined : e).split('.');
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first === -1) return ZERO;
  const written = e === -1 ? 0 : Number(text.slice(e + 1));
  const bounded = Math.min(Math.max(written, -FURTHEST_EXPONENT), FURTHEST_EXPONENT);
  return {
    negative,
    digits: all.slice(first, endOfDigits(all)),
    exponent: bounded + whole.length - first,
  };
}

/** Returns the index after the last digit that is not 0. */
function endOfDigits(digits: string): number {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return end;
}

/** Returns the number as JSON writes it: the same text for all numbers that are equal. */
export function formText({ negative, digits, exponent }: DecimalForm): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (Math.abs(exponent) > MOST_PLAIN_DIGITS) return `${sign}0.${digits}e${exponent}`;
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  const [whole, fraction] = [digits.slice(0, exponent).padEnd(exponent, '0'), digits.slice(exponent)];
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Returns a number below, equal to or above 0. */
export function compareForms(left: DecimalForm, right: DecimalForm): number {
  const signs = signOf(left) - signOf(right);
  if (signs !== 0 || left.digits === '') return signs;
  const size = left.exponent - right.exponent || orderOfDigits(left.digits, right.digits);
  return left.negative ? -size : size;
}

function signOf({ negative, digits }: DecimalForm): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

function orderOfDigits(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
