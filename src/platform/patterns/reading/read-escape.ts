import { ignoringCase } from '../characters/case-folding.js';
import {
  type CharSet,
  complementOf,
  intersectionOf,
  rangeOf,
  setOf,
  unionOf,
} from '../characters/char-set.js';
import { posixSet, propertySet, WORD } from '../characters/named-sets.js';
import { PatternError } from '../pattern-error.js';
import type { PatternScanner, ReadingOptions } from './pattern-scanner.js';

const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7, e: 27 };
const MAX_CODE = 0x10ffff;
const ASCII = rangeOf(0, 0x7f);
const HEX_DIGIT = unionOf([rangeOf(0x30, 0x39), rangeOf(0x41, 0x46), rangeOf(0x61, 0x66)]);
const DIGIT = rangeOf(0x30, 0x39);
const SPACE = unionOf([rangeOf(9, 13), setOf(0x20)]);

/**
 * Reads an escape that stands for a set of characters (`\d`, `\p{L}`), after its backslash.
 * Returns undefined if there is none; nothing was read then.
 */
export function readSetEscape(
  scanner: PatternScanner,
  options: ReadingOptions,
  { ignoreCase }: { ignoreCase: boolean } = options,
): CharSet | undefined {
  const property = scanner.takes(/([pP])\{(\^?)([^}]*)\}/y);
  if (property !== undefined) {
    const [, letter, not, name = ''] = property;
    const named = propertySet(name);
    const set = ignoreCase ? ignoringCase(named) : named;
    return (letter === 'P') === (not === '^') ? set : complementOf(set);
  }
  if (scanner.takes(/[pP]\{/y) !== undefined) throw new PatternError('invalid character property name {}');
  const [letter] = scanner.takes(/[dwshDWSH]/y) ?? [];
  if (letter === undefined) return undefined;
  const set = letterSet(letter.toLowerCase(), options);
  return letter === letter.toLowerCase() ? set : complementOf(set);
}

function letterSet(letter: string, { asciiEscapes }: ReadingOptions): CharSet {
  if (letter === 'h') return HEX_DIGIT;
  if (letter === 'w') return asciiEscapes ? intersectionOf([ASCII, WORD]) : WORD;
  if (asciiEscapes) return letter === 'd' ? DIGIT : SPACE;
  return posixSet(letter === 'd' ? 'digit' : 'space', { ascii: false }) ?? SPACE;
}

/**
 * Reads an escape that stands for characters (`\n`, `\x41`, `\u{61 62}`), after its backslash; a letter without a
 * meaning is itself.
 * @throws PatternError for a number that is not one.
 */
export function readCodeEscape(scanner: PatternScanner): number[] {
  if (scanner.skips('u')) return unicodeCodes(scanner);
  if (scanner.sees('x')) return [hexCode(scanner)];
  const octal = scanner.takes(/[0-7]{1,3}/y);
  if (octal !== undefined) return [Number.parseInt(octal[0], 8) & 0xff];
  const control = scanner.takes(/(?:c|C-)(?:\\\\|\p{ASCII})/uy);
  if (control !== undefined)
    return [control[0].endsWith('?') ? 0x7f : (control[0].codePointAt(control[0].length - 1) ?? 0) & 0x1f];
  if (scanner.sees('M-')) throw new PatternError('\\M- makes bytes that are no characters');
  const code = scanner.next('too short escape sequence');
  const letter = String.fromCodePoint(code);
  return [Object.hasOwn(CONTROLS, letter) ? (CONTROLS[letter] ?? code) : code];
}

function unicodeCodes(scanner: PatternScanner): number[] {
  const four = scanner.takes(/[0-9a-fA-F]{4}/y);
  if (four !== undefined) return [Number.parseInt(four[0], 16)];
  const list = scanner.takes(/\{\s*([0-9a-fA-F]{1,6}(?:\s+[0-9a-fA-F]{1,6})*)\s*\}/y);
  const codes = (list?.[1] ?? '').split(/\s+/).map((digits) => Number.parseInt(digits, 16));
  if (codes.every((code) => code <= MAX_CODE)) return codes;
  throw new PatternError('invalid Unicode escape');
}

/** `\x41`, and `\x{1f600}` of other languages. Bytes beyond ASCII are UTF-8: `\xC3\xA9`. */
function hexCode(scanner: PatternScanner): number {
  const braced = scanner.takes(/x\{([0-9a-fA-F]{1,6})\}/y);
  if (braced !== undefined) {
    const code = Number.parseInt(braced[1] ?? '', 16);
    if (code <= MAX_CODE) return code;
    throw new PatternError('invalid hex escape');
  }
  const bytes = scanner.takes(/x[c-fC-F][0-9a-fA-F](?:\\x[89abAB][0-9a-fA-F]){1,3}/y);
  if (bytes !== undefined) return utf8Code(bytes[0]);
  const digits = scanner.takes(/x([0-9a-fA-F]{1,2})/y);
  if (digits === undefined) throw new PatternError('invalid hex escape');
  return Number.parseInt(digits[1] ?? '', 16);
}

function utf8Code(escapes: string): number {
  const bytes = Buffer.from(escapes.replace(/[\\x]/g, ''), 'hex');
  const text = bytes.toString();
  const code = text.codePointAt(0) ?? 0;
  if (text.length === String.fromCodePoint(code).length && Buffer.from(text).equals(bytes)) return code;
  throw new PatternError('invalid multibyte escape');
}
