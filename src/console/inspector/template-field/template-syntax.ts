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

interface Delimiters {
  open: string;
  close: string;
  isTag: boolean;
}

const DELIMITERS: Record<TemplateLanguage, readonly Delimiters[]> = {
  formula: [
    { open: '<<', close: '>>', isTag: false },
    { open: '<%', close: '%>', isTag: true },
  ],
  liquid: [
    { open: '{{', close: '}}', isTag: false },
    { open: '{%', close: '%}', isTag: true },
  ],
};

/** After so many codes whose quotes never end, quotes protect nothing: each would be looked for until the end of the text. */
const MOST_UNCLOSED = 8;
/** White space is allowed before it; `==` begins a plain text. */
const WHOLE_FORMULA = /^\s*=(?!=)/;

/**
 * Returns the code in a text, in its order. It serves colours and completion: the server alone says what a template means.
 * Quotes protect a closing delimiter, as they do there.
 */
export function codeSpans(text: string, language: TemplateLanguage): CodeSpan[] {
  const [whole] = language === 'formula' ? (WHOLE_FORMULA.exec(text) ?? []) : [];
  if (whole !== undefined) return [{ from: whole.length, to: text.length, isTag: false, isWhole: true }];
  const spans: CodeSpan[] = [];
  let unclosed = 0;
  const openings = DELIMITERS[language].map((delimiters) => ({ at: -1, delimiters }));
  for (let at = 0; at < text.length; ) {
    // Each place is looked for once: many tags of one kind cost no more than a few.
    for (const each of openings) if (each.at < at) each.at = indexFrom(text, each.delimiters.open, at);
    const [next] = openings.toSorted((one, other) => one.at - other.at);
    if (next === undefined || next.at === Number.POSITIVE_INFINITY) break;
    const from = next.at + next.delimiters.open.length;
    const { close } = next.delimiters;
    const protectedEnd = unclosed < MOST_UNCLOSED ? endOfCode(text, from, close) : undefined;
    if (protectedEnd === undefined) unclosed += 1;
    // A quote that never ends protects nothing.
    const to = protectedEnd ?? Math.min(indexFrom(text, close, from), text.length);
    spans.push({ from, to, isTag: next.delimiters.isTag, isWhole: false });
    at = to + close.length;
  }
  return spans;
}

/** Returns the code in which a place of the text is; undefined: it is plain text there. */
export function codeAt(text: string, at: number, language: TemplateLanguage): CodeSpan | undefined {
  return codeSpans(text, language).find(({ from, to }) => from <= at && at <= to);
}

function indexFrom(text: string, word: string, start: number): number {
  const at = text.indexOf(word, start);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
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
