import { codeSpans, type TemplateLanguage } from './template-syntax.js';

/** A coloured piece of a template. */
export interface Token {
  from: number;
  to: number;
  kind: 'delimiter' | 'code' | 'text' | 'number' | 'call' | 'word';
}

const PIECES =
  /(?<text>"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?)|(?<call>[A-Za-z_]\w*(?=\s*\()|(?<=\|\s*)[A-Za-z_]\w*)|(?<word>(?<![\w.])(?:if|elsif|else|endif|unless|endunless|for|endfor|in|case|when|endcase|assign|capture|endcapture|and|or|not|true|false|null|nil|blank|empty|TRUE|FALSE|NULL)(?![\w(]))|(?<number>(?<![\w.])\d+(?:\.\d+)?)|(?<code>[^"'\w]+|\w+)/g;

/** The most pieces that are coloured: a page of code must not slow down each key. */
const MOST = 2_000;

/** Returns the coloured pieces of a text, in its order, as far as there are not too many; plain text has none. */
export function colouredTokens(text: string, language: TemplateLanguage): Token[] {
  const tokens: Token[] = [];
  for (const span of codeSpans(text, language)) {
    const opening = span.isWhole ? 1 : 2;
    tokens.push(delimiter(span.from - opening, opening));
    for (const { 0: piece, index, groups } of text.slice(span.from, span.to).matchAll(PIECES)) {
      if (tokens.length >= MOST) return tokens;
      const [kind = 'code'] = Object.entries(groups ?? {}).find(([, found]) => found !== undefined) ?? [];
      const from = span.from + index;
      tokens.push({ from, to: from + piece.length, kind: kind as Token['kind'] });
    }
    if (!span.isWhole && span.to < text.length) tokens.push(delimiter(span.to, 2));
  }
  return tokens;
}

const delimiter = (from: number, length: number): Token => ({ from, to: from + length, kind: 'delimiter' });
