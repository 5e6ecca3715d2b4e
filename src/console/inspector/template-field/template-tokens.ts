import { codeSpans, type TemplateLanguage } from './template-syntax.js';

/** A coloured piece of a template. */
export interface Token {
  from: number;
  to: number;
  kind: 'delimiter' | 'code' | 'text' | 'number' | 'call' | 'word';
}

const PIECES =
  /(?<text>"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?)|(?<call>[A-Za-z_]\w*(?=\s*\()|(?<=\|\s*)[A-Za-z_]\w*)|(?<word>(?<![\w.])(?:if|elsif|else|endif|unless|endunless|for|endfor|in|case|when|endcase|assign|capture|endcapture|and|or|not|true|false|null|nil|blank|empty|TRUE|FALSE|NULL)(?![\w(]))|(?<number>(?<![\w.])\d+(?:\.\d+)?)|(?<code>[^"'\w]+|\w+)/g;

/** Returns the coloured pieces of a text, in its order; plain text has none. */
export function colouredTokens(text: string, language: TemplateLanguage): Token[] {
  return codeSpans(text, language).flatMap((span): Token[] => {
    const opening = span.isWhole ? 1 : 2;
    const inside = [...text.slice(span.from, span.to).matchAll(PIECES)].map(
      ({ 0: piece, index, groups }): Token => {
        const [kind = 'code'] = Object.entries(groups ?? {}).find(([, found]) => found !== undefined) ?? [];
        const from = span.from + index;
        return { from, to: from + piece.length, kind: kind as Token['kind'] };
      },
    );
    const end = span.isWhole || span.to === text.length ? [] : [delimiter(span.to, 2)];
    return [delimiter(span.from - opening, opening), ...inside, ...end];
  });
}

const delimiter = (from: number, length: number): Token => ({ from, to: from + length, kind: 'delimiter' });
