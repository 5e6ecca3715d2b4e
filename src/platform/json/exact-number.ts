import { randomBytes } from 'node:crypto';

/** An exponent beyond this counts as this: no number can be computed with it, only carried. */
const FURTHEST_EXPONENT = 1_000_000_000_000_000;
/** Beyond it, a number is written with an exponent. */
const MOST_PLAIN_DIGITS = 100;
const ZERO: DecimalForm = { negative: false, digits: '', exponent: 0 };

/** Start of the text that stands for an exact number while `stringifyJson` runs. Nobody outside of the process knows it. */
const MARK = randomBytes(16).toString('hex');
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');
/** Set while `stringifyJson` runs: nothing else runs meanwhile. */
let isWriting = false;
let hasWritten = false;
/** Every number of fewer characters, without an exponent, is exact as a JavaScript number. */
const SURELY_EXACT_CHARACTERS = 16;

/**
 * A number that a JavaScript number would change: `9007199254740993`, `0.12345678901234567`, `1e400`. It holds the
 * digits as written, and never changes (decision 0038).
 */
export class ExactNumber {
  readonly #text: string;

  /** @param text a number as JSON writes it. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the digits as written. */
  toString(): string {
    return this.#text;
  }

  /** For `Number(…)`: the nearest JavaScript number, for roots, logarithms and other approximate results. */
  valueOf(): number {
    return Number(this.#text);
  }

  /** Returns true for a copy by prototype, which has no digits: some libraries copy objects so. */
  static isHollow(value: unknown): boolean {
    return value instanceof ExactNumber && !(#text in value);
  }

  /** For `stringifyJson`. Outside of it the digits become text, so that even forgotten code does not change them. */
  toJSON(): string {
    if (!isWriting) return this.#text;
    hasWritten = true;
    return MARK + this.#text;
  }
}

/** A number of either kind. */
export type Numeric = number | ExactNumber;

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Returns the number that `text` is in JSON's notation, with all its digits. */
export function readNumeric(text: string): Numeric {
  const number = Number(text);
  if (text.length < SURELY_EXACT_CHARACTERS && !/e/i.test(text)) return number;
  const shown = String(number);
  if (shown === text) return number;
  const isSame = Number.isFinite(number) && compareForms(decimalForm(shown), decimalForm(text)) === 0;
  return isSame ? number : new ExactNumber(text);
}

/** Returns the number in the one notation of its value: `9007199254740993` for `9007199254740993.0` too. */
export function plainNotation(number: ExactNumber): ExactNumber {
  return new ExactNumber(formText(decimalForm(String(number))));
}

/** Compares by value: a number below, equal to or above 0. */
export function compareNumbers(left: Numeric, right: Numeric): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return compareForms(decimalForm(String(left)), decimalForm(String(right)));
}

/**
 * Returns the JSON text of a value, with every digit of its exact numbers; the same as `JSON.stringify` without any.
 * @param space spaces of indentation; 0 for one line.
 */
export function stringifyJson(value: unknown, space = 0): string {
  isWriting = true;
  hasWritten = false;
  try {
    const text = JSON.stringify(value, null, space);
    return hasWritten ? text.replace(MARKED, '$1') : text;
  } finally {
    isWriting = false;
  }
}

/** A decimal number as ±0.DIGITS × 10^EXPONENT, so that its size is known without its zeros. */
interface DecimalForm {
  negative: boolean;
  /** Without zeros at either end; empty for 0. */
  digits: string;
  exponent: number;
}

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
function formText({ negative, digits, exponent }: DecimalForm): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (Math.abs(exponent) > MOST_PLAIN_DIGITS) return `${sign}0.${digits}e${exponent}`;
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  const [whole, fraction] = [digits.slice(0, exponent).padEnd(exponent, '0'), digits.slice(exponent)];
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Returns a number below, equal to or above 0. */
function compareForms(left: DecimalForm, right: DecimalForm): number {
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
