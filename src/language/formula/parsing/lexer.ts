import { FormulaFault } from '../formula-fault.js';
import { MAX_TOKENS } from '../formula-limits.js';

export interface FormulaToken {
  kind: 'number' | 'string' | 'name' | 'mark' | 'end';
  /** The text as written; for a string, its value. */
  text: string;
  /** Offset in the whole text, from 0. */
  at: number;
  end: number;
}

const SPACE = /\s+/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** `#action_id`, `@timestamp` and `$ref` are keys that real events have. */
const NAME = /[\p{L}_#@$][\p{L}\p{M}\p{N}_@$]*/uy;
const MARK = /\|>|&&|\|\||<>|!=|<=|>=|==|[-+*/%&!=<>()[\]{},:.|]/y;
/** Real stories contain formulas inside JSON, where quotes are written `\"`. */
const QUOTE = /\\?["']/y;

/**
 * Returns the tokens of one expression, with an `end` token last.
 * @param start offset of `source` in the text that contains it.
 * @throws FormulaFault for an invalid character, and a string without a closing quote.
 */
export function tokenise(source: string, start: number): FormulaToken[] {
  const tokens: FormulaToken[] = [];
  let position = 0;
  while (position < source.length) {
    const space = matchAt(SPACE, source, position);
    if (space !== undefined) {
      position += space.length;
      continue;
    }
    const token = tokenAt(source, position);
    position = token.end;
    tokens.push({ ...token, at: token.at + start, end: token.end + start });
    if (tokens.length > MAX_TOKENS)
      throw new FormulaFault(`More than ${MAX_TOKENS} names, values and marks`, start);
  }
  const end = source.length + start;
  tokens.push({ kind: 'end', text: '', at: end, end });
  return tokens;

  function tokenAt(text: string, at: number): FormulaToken {
    for (const [kind, pattern] of [
      ['number', NUMBER],
      ['name', NAME],
      ['mark', MARK],
    ] as const) {
      const found = matchAt(pattern, text, at);
      if (found !== undefined) return { kind, text: found, at, end: at + found.length };
    }
    const quote = matchAt(QUOTE, text, at);
    if (quote === undefined) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      throw new FormulaFault(`unexpected ${JSON.stringify(character)}`, at + start);
    }
    const end = endOfString({ text, stop: text.length }, at, quote);
    if (end === -1) throw new FormulaFault('The text starting here has no closing quote', at + start);
    return { kind: 'string', text: unescaped(text.slice(at + quote.length, end - quote.length)), at, end };
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Returns the end (after its quote) of the string opened by `quote` at `at`, or -1 if it is not closed before `stop`. */
function endOfString({ text, stop }: { text: string; stop: number }, at: number, quote: string): number {
  for (let index = at + quote.length; index < stop; index += 1) {
    if (text.startsWith(quote, index)) return index + quote.length;
    if (text[index] === '\\') index += 1;
  }
  return -1;
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' };

/** Keeps a backslash before any other character: patterns often contain `\d` and `\.`. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (whole, code?: string, character = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return ESCAPES[String(character)] ?? whole;
  });
}

/**
 * Returns the first index of `closing` outside of strings, from `from` on; after an unclosed quote, the first index at
 * all. -1: not found.
 */
export function findClosing(text: string, closing: string, from: number, limit: number): number {
  const first = text.indexOf(closing, from);
  if (first === -1) return -1;
  const stop = Math.min(text.length, from + limit);
  for (let index = from; index < stop; index += 1) {
    if (text.startsWith(closing, index)) return index;
    const quote = matchAt(QUOTE, text, index);
    if (quote === undefined) continue;
    const end = endOfString({ text, stop }, index, quote);
    if (end === -1) return first;
    index = end - 1;
  }
  return first;
}
