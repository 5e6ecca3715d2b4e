import { isSameIgnoringCase } from '../characters/case-folding.js';
import { WORD } from '../characters/named-sets.js';

/** A part of a text, by UTF-16 units. */
export interface TextSpan {
  start: number;
  end: number;
}

const LINE_FEED = 0x0a;
/** A grapheme is looked for in so many units at first. */
const GRAPHEME_UNITS = 64;

/** Returns the place after the character at `at`: a surrogate pair is one character. */
export function afterCharacter(text: string, at: number): number {
  return isPair(text, at) ? at + 2 : at + 1;
}

/** Returns the place before the character that ends at `at`. */
export function beforeCharacter(text: string, at: number): number {
  return at > 1 && isPair(text, at - 2) ? at - 2 : at - 1;
}

function isPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdbff) return false;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** Returns true if a place is what one of ASSERT_KINDS, by its index, asks for. */
export function holdsAt(
  text: string,
  at: number,
  { kind, searchStart }: { kind: number; searchStart: number },
): boolean {
  switch (kind) {
    case 0:
      return at === 0 || (text.charCodeAt(at - 1) === LINE_FEED && at < text.length);
    case 1:
      return at === text.length || text.charCodeAt(at) === LINE_FEED;
    case 2:
      return at === 0;
    case 3:
      return at === text.length;
    case 4:
      return at === text.length || (at === text.length - 1 && text.charCodeAt(at) === LINE_FEED);
    case 5:
      return at === searchStart;
    case 6:
    case 7:
      return isWordBoundary(text, at, (code) => WORD.has(code)) === (kind === 6);
    default:
      return isWordBoundary(text, at, (code) => code < 0x80 && WORD.has(code)) === (kind === 8);
  }
}

function isWordBoundary(text: string, at: number, isWord: (code: number) => boolean): boolean {
  const before = at > 0 && isWord(text.codePointAt(beforeCharacter(text, at)) ?? 0);
  const after = at < text.length && isWord(text.codePointAt(at) ?? 0);
  return before !== after;
}

/** Returns where the same text as from `start` to `end` ends when it begins at `at`; -1 if another text is there. */
export function sameTextEnd(text: string, at: number, { start, end }: TextSpan): number {
  const length = end - start;
  return at + length <= text.length && text.startsWith(text.slice(start, end), at) ? at + length : -1;
}

/** The same, whatever the letters' case. */
export function sameTextEndIgnoringCase(text: string, at: number, { start, end }: TextSpan): number {
  let here = at;
  for (let there = start; there < end; there = afterCharacter(text, there)) {
    const [one, other] = [text.codePointAt(there), text.codePointAt(here)];
    if (one === undefined || other === undefined || !isSameIgnoringCase(one, other)) return -1;
    here = afterCharacter(text, here);
  }
  return here;
}

let segmenter: Intl.Segmenter | undefined;

/** Returns where the grapheme (what readers see as one character) at `at` ends; `at` is not the end of the text. */
export function graphemeEnd(text: string, at: number): number {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (let units = GRAPHEME_UNITS; ; units *= 2) {
    const [first] = segmenter.segment(text.slice(at, at + units));
    const length = first?.segment.length ?? 1;
    if (length < units - 1 || at + units >= text.length) return at + length;
  }
}
