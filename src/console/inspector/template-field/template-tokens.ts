import { codeSpans, type TemplateLanguage } from './template-syntax.js';

/** A coloured piece of a template. */
export interface Token {
  from: number;
  to: number;
  kind: 'delimiter' | 'code' | 'text' | 'number' | 'call' | 'word';
}

const PIECES =
  /(?<text>"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?)|(?<call>[A-Za-z_]\w*(?=\s*\()|(?<=\|\s*)[A-Za-z_]\w*)|(?<word>(?<![\w.])(?:if|elsif|else|endif|unless|endunless|for|endfor|in|case|when|endcase|assign|capture|endcapture|and|or|not|true|false|null|nil|blank|empty|TRUE|FALSE|NULL)(?![\w(]))|(?<number>(?<![\w.])\d+(?:\.\d+)?)|(?<code>[^"'\w]+|\w+)/g;

/** The most pieces that are looked at: a page of code must not slow down each key. */
const MOST = 2_000;

/**
 * Returns the coloured stretches of a text, in its order, as far as there are not too many; plain text has none. Pieces of one
 * kind that follow each other are one: each stretch is an element of the page, and costs time at each key.
 */
export function colouredTokens(text: string, language: TemplateLanguage): Token[] {
  const tokens: Token[] = [];
  let pieces = 0;
  const put = (from: number, length: number, kind: Token['kind']) => {
    pieces += 1;
    const last = tokens.at(-1);
    if (last?.kind === kind && last.to === from) last.to = from + length;
    else tokens.push({ from, to: from + length, kind });
  };
  for (const span of codeSpans(text, language)) {
    const opening = span.isWhole ? 1 : 2;
    put(span.from - opening, opening, 'delimiter');
    for (const { 0: piece, index, groups } of text.slice(span.from, span.to).matchAll(PIECES)) {
      if (pieces >= MOST) return tokens;
      const [kind = 'code'] = Object.entries(groups ?? {}).find(([, found]) => found !== undefined) ?? [];
      put(span.from + index, piece.length, kind as Token['kind']);
    }
    if (!span.isWhole && span.to < text.length) put(span.to, 2, 'delimiter');
  }
  return tokens;
}
