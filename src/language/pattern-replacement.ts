import type { RubyMatch } from '../platform/patterns/ruby-pattern.js';
import { TemplateError } from '../platform/text/template-error.js';

/** A part of a replacement: a text, or what a match of the text puts in its place. */
export type ReplacementPiece = string | ((match: RubyMatch, text: string) => string);

const REFERENCE = /\\(?:([0-9&+`'\\])|k<([^>]*)>)/g;

/**
 * Reads a replacement as Ruby's `gsub` does: `\1` to `\9`, `\k<name>`, `\0` and `\&` (the match), `` \` `` and `\'` (what
 * is before and after it), `\+` (the last group that matched) and `\\`. All else is text, `$` too. A group that did not
 * match, or does not exist, is empty; with named groups, numbers are no groups.
 * @throws TemplateError for a name that the pattern does not have.
 */
export function replacementOf(
  replacement: string,
  groupNames: readonly (string | undefined)[],
): ReplacementPiece[] {
  const pieces: ReplacementPiece[] = [];
  let position = 0;
  for (const match of replacement.matchAll(REFERENCE)) {
    const [whole, sign, name] = match;
    const piece = sign === undefined ? namedPiece(name ?? '', groupNames) : signPiece(sign, groupNames);
    pieces.push(replacement.slice(position, match.index), piece);
    position = match.index + whole.length;
  }
  return [...pieces, replacement.slice(position)].filter((piece) => piece !== '');
}

function signPiece(sign: string, groupNames: readonly (string | undefined)[]): ReplacementPiece {
  if (sign === '\\') return sign;
  if (sign === '`') return ({ start }, text) => text.slice(0, start);
  if (sign === "'") return ({ end }, text) => text.slice(end);
  if (sign === '&' || sign === '0') return ({ group }) => group(0) ?? '';
  if (sign === '+') return lastOf(groupNames.map((_name, index) => index + 1));
  const hasNames = groupNames.some((name) => name !== undefined);
  return hasNames ? '' : ({ group }) => group(Number(sign)) ?? '';
}

function namedPiece(name: string, groupNames: readonly (string | undefined)[]): ReplacementPiece {
  const numbers = groupNames.flatMap((each, index) => (each === name ? [index + 1] : []));
  if (numbers.length > 0) return lastOf(numbers);
  throw new TemplateError(`the replacement names a group <${name}> that the pattern does not have`);
}

/** The last of these groups that matched. */
function lastOf(numbers: number[]): ReplacementPiece {
  return ({ group }) => {
    for (const number of numbers.toReversed()) {
      const found = group(number);
      if (found !== null) return found;
    }
    return '';
  };
}

const REFERENCES = /^\\(?:[0-9&+`'\\]|k<)/;
const ESCAPE = /\\(?:[0-9&+`'\\]|k<[^>]*>|u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{1,2}|[\s\S])/g;
const CONTROLS: Record<string, string> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  s: ' ',
  t: '\t',
  v: '\v',
};
const MAX_CODE = 0x10ffff;

/**
 * Puts characters in the place of Huginn's escapes in a replacement (`\n`, `\t`, `\s`, `\u{263a}`, `\x41`; `\q` is q) and
 * leaves references to groups.
 */
export function withoutEscapes(replacement: string): string {
  return replacement.replace(ESCAPE, (escape) => (REFERENCES.test(escape) ? escape : characterOf(escape)));
}

function characterOf(escape: string): string {
  const letter = escape.slice(1);
  const [digits] = /(?<=^[ux]\{?)[0-9a-fA-F]+/.exec(letter) ?? [];
  if (digits === undefined) return Object.hasOwn(CONTROLS, letter) ? (CONTROLS[letter] ?? '') : letter;
  const code = Number.parseInt(digits, 16);
  const character = code > MAX_CODE ? '' : String.fromCodePoint(code);
  return character === '\\' ? '\\\\' : character;
}
