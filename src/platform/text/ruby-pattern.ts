/** A pattern in the syntax of the linear-time engine (RE2). */
export interface TranslatedPattern {
  source: string;
  /** The pattern ended in a lookahead: the match ends where group 1 of `source` ends. */
  lookahead: boolean;
}

/** Escapes of Ruby's patterns that the engine lacks, outside and inside a character class. */
const ESCAPES: Record<string, { outside: string; inside?: string }> = {
  h: { outside: '[0-9a-fA-F]', inside: '0-9a-fA-F' },
  H: { outside: '[^0-9a-fA-F]' },
  Z: { outside: '(?:\\n?\\z)' },
  R: { outside: '(?:\\r\\n|[\\n\\x0b\\f\\r\\x{85}\\x{2028}\\x{2029}])' },
  e: { outside: '\\x1b', inside: '\\x1b' },
  // Patterns copied from JavaScript or JSON.
  '/': { outside: '/', inside: '/' },
  // Letters that are no escapes in Ruby match themselves (`\gmail`); the engine rejects them.
  ...Object.fromEntries(
    Array.from('gijlmoqyFIJLNOTUVY').map((letter) => [letter, { outside: letter, inside: letter }]),
  ),
};

/**
 * Translates a pattern of a story (Ruby's syntax) into the engine's (RE2 with lookbehinds): escapes, `{,n}`, `(?m)` for a
 * dot that matches line ends, and one lookahead at the very end.
 */
export function translateRubyPattern(pattern: string): TranslatedPattern {
  const translated = translateTokens(pattern);
  const split = splitLookahead(translated);
  if (split === undefined) return { source: translated, lookahead: false };
  const [, flags = '', body = ''] = /^(\(\?[a-zA-Z]+\))?([\s\S]*)$/.exec(split.body) ?? [];
  return { source: `${flags}(${body})(?:${split.ahead})`, lookahead: true };
}

const TOKEN =
  /\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\[\s\S]|\[:\^?\w+:\]|[[\]]|\(\?[a-z]*(?:-[a-z]+)?[:)]|\{,\d+\}/g;

/** Translates token by token: escapes and classes are single tokens, so that their content is not misread. */
function translateTokens(pattern: string): string {
  let inClass = false;
  return pattern.replace(TOKEN, (token) => {
    if (token.startsWith('\\')) return translateEscape(token, inClass);
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (!inClass && token.startsWith('{')) return `{0${token.slice(1)}`;
    // Ruby's flag m is the engine's s; `^` and `$` always match at line ends; the engine lacks x (free spacing).
    else if (!inClass && token.startsWith('(')) return token.replaceAll('m', 's');
    return token;
  });
}

function translateEscape(token: string, inClass: boolean): string {
  const escaped = token.slice(1);
  if (escaped.startsWith('u')) return `\\x{${escaped.replace(/[u{}]/g, '')}}`;
  const known = Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : undefined;
  return (inClass ? known?.inside : known?.outside) ?? token;
}

/** Removes what Ruby's flag `x` ignores: white space and comments outside of classes. */
export function withoutFreeSpacing(pattern: string): string {
  const parts = /\\[\s\S]|\[(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\s+|#[^\n]*/g;
  return pattern.replace(parts, (part) => (/^[\s#]/.test(part) ? '' : part));
}

/** Splits `body(?=ahead)`, if that lookahead ends the pattern and applies to all of `body`. */
function splitLookahead(pattern: string): { body: string; ahead: string } | undefined {
  const groups: number[] = [];
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '\\') at += 1;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') groups.push(at);
    else if (char === '|' && groups.length === 0) return undefined;
    else if (char === ')') {
      const start = groups.pop();
      if (start !== undefined && at === pattern.length - 1 && pattern.startsWith('(?=', start)) {
        return groups.length === 0
          ? { body: pattern.slice(0, start), ahead: pattern.slice(start + 3, at) }
          : undefined;
      }
    }
  }
  return undefined;
}
