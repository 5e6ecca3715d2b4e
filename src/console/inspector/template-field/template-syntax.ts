/** The language of a story's templates. */
export type TemplateLanguage = 'formula' | 'liquid';

/** A stretch of a text that is code of a template, without its delimiters. */
export interface CodeSpan {
  /** The index of its first character. */
  from: number;
  /** The index after its last character; that of the text's end while it is not closed. */
  to: number;
  /** `<% … %>` and `{% … %}` are tags: `if`, `for`. */
  isTag: boolean;
  /** The whole text is one formula: `=UPCASE(name)`. */
  isWhole: boolean;
}

/** What begins code, and what ends it. The place of the next one is looked for in one go. */
const OPENINGS: Record<TemplateLanguage, RegExp> = { formula: /<<|<%/g, liquid: /\{\{|\{%/g };
const CLOSINGS: Readonly<Record<string, string>> = { '<<': '>>', '<%': '%>', '{{': '}}', '{%': '%}' };

/** After so many codes whose quotes never end, quotes protect nothing: each would be looked for until the end of the text. */
const MOST_UNCLOSED = 8;
/** White space is allowed before it; `==` begins a plain text. */
const WHOLE_FORMULA = /^\s*=(?!=)/;

/**
 * Yields the code in a text, in its order. It serves colours and completion: the server alone says what a template means.
 * Quotes protect a closing delimiter, as they do there.
 */
export function* codeSpans(text: string, language: TemplateLanguage): Generator<CodeSpan> {
  const [whole] = language === 'formula' ? (WHOLE_FORMULA.exec(text) ?? []) : [];
  if (whole !== undefined) {
    yield { from: whole.length, to: text.length, isTag: false, isWhole: true };
    return;
  }
  const openings = new RegExp(OPENINGS[language]);
  let unclosed = 0;
  for (let found = openings.exec(text); found !== null; found = openings.exec(text)) {
    const [opening] = found;
    const from = found.index + opening.length;
    const close = CLOSINGS[opening] ?? '';
    const protectedEnd = unclosed < MOST_UNCLOSED ? endOfCode(text, from, close) : undefined;
    if (protectedEnd === undefined) unclosed += 1;
    // A quote that never ends protects nothing.
    const to = protectedEnd ?? indexFrom(text, close, from);
    yield { from, to, isTag: opening.endsWith('%'), isWhole: false };
    openings.lastIndex = to + close.length;
  }
}

/** Whether there is code in a text. */
export function hasCode(text: string, language: TemplateLanguage): boolean {
  return codeSpans(text, language).next().done !== true;
}

/** Returns the code in which a place of the text is; undefined: it is plain text there. */
export function codeAt(text: string, at: number, language: TemplateLanguage): CodeSpan | undefined {
  for (const span of codeSpans(text, language)) {
    if (span.from > at) return undefined;
    if (at <= span.to) return span;
  }
  return undefined;
}

/** Returns what an empty field says: what it takes, and how a value is inserted. */
export function emptyHint(example: string, language: TemplateLanguage): string {
  const opening = { formula: '<<', liquid: '{{' }[language];
  return example.includes(opening) ? example : `${example}, or ${opening} for a value`;
}

/**
 * Returns the opening delimiter of code that is never closed; undefined if there is none. In a formula it stays text; in
 * Liquid the server refuses it, and says where.
 */
export function unclosedDelimiter(
  text: string,
  language: TemplateLanguage,
): { from: number; to: number } | undefined {
  if (language === 'liquid') return undefined;
  for (const { from, to, isWhole } of codeSpans(text, language)) {
    if (to === text.length && !isWhole) return { from: from - 2, to: from };
  }
  return undefined;
}

/** The end of the text if the word is not there. */
function indexFrom(text: string, word: string, start: number): number {
  const at = text.indexOf(word, start);
  return at < 0 ? text.length : at;
}

/** Undefined: there is no closing delimiter outside of quotes. */
function endOfCode(text: string, from: number, close: string): number | undefined {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (text.startsWith(close, at)) return at;
  }
  return undefined;
}
