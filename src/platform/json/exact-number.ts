import { randomBytes } from 'node:crypto';
import { compareForms, decimalForm, formText } from './decimal-form.js';

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
