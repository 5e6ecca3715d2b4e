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
  for (let at = 0; at < text.length; ) {
    const next = nextOpening(text, at, DELIMITERS[language]);
    if (next === undefined) break;
    const from = next.at + next.delimiters.open.length;
    const to = endOfCode(text, from, next.delimiters.close);
    spans.push({ from, to, isTag: next.delimiters.isTag, isWhole: false });
    at = to + next.delimiters.close.length;
  }
  return spans;
}

/** Returns the code in which a place of the text is; undefined: it is plain text there. */
export function codeAt(text: string, at: number, language: TemplateLanguage): CodeSpan | undefined {
  return codeSpans(text, language).find(({ from, to }) => from <= at && at <= to);
}

function nextOpening(text: string, start: number, delimiters: readonly Delimiters[]) {
  return delimiters
    .map((each) => ({ at: text.indexOf(each.open, start), delimiters: each }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)[0];
}

function endOfCode(text: string, from: number, close: string): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (text.startsWith(close, at)) return at;
  }
  // A quote that never ends protects nothing.
  const end = text.indexOf(close, from);
  return end < 0 ? text.length : end;
}
