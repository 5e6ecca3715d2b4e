/** One token inside a tag. A `name` is any token of no other kind: a reference, a number. */
export interface MarkupToken {
  kind: 'space' | 'string' | 'operator' | 'name' | 'mark';
  text: string;
}

const PIECES = /(\s+)|("[^"]*"|'[^']*')|(==|!=|<>|<=|>=|<|>|=)|([^\s"'|:,()[\]<>=!]+)|([\s\S])/g;

/**
 * Splits the inside of a tag. Liquid's strings have no escapes; `\"` outside of a string is read as `"`
 * (exports contain texts that were escaped once too often).
 */
export function tokeniseMarkup(markup: string): MarkupToken[] {
  const tokens: MarkupToken[] = [];
  for (const match of withoutBraces(markup).matchAll(PIECES)) {
    const [text, space, string, operator, name] = match;
    if (space !== undefined) tokens.push({ kind: 'space', text });
    else if (string !== undefined) tokens.push({ kind: 'string', text });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text });
    else if (name !== undefined) tokens.push({ kind: 'name', text });
    // An unclosed quote only separates, as in the lax parser of the original platform.
    else if (text === '"' || text === "'") tokens.push({ kind: 'space', text: ' ' });
    else tokens.push({ kind: 'mark', text });
  }
  return tokens;
}

/** Removes `{{` and `}}` inside a tag, and the backslash before quotes, outside of strings. */
function withoutBraces(markup: string): string {
  if (!/\{\{|\}\}|\\["']/.test(markup)) return markup;
  const unescaped = markup.replace(/\\(["'])/g, '$1');
  return unescaped.replace(/("[^"]*"|'[^']*')|\{\{|\}\}/g, (_, string: string | undefined) => string ?? ' ');
}

/**
 * Returns the tokens as text for liquidjs: references are normalised, and backslashes in strings doubled, because
 * liquidjs has escapes where the original platform has none.
 */
export function writeMarkup(tokens: readonly MarkupToken[]): string {
  let depth = 0;
  return tokens
    .map((token, index) => {
      if (token.kind === 'string') return token.text.replaceAll('\\', '\\\\');
      if (token.text === '(') depth += 1;
      if (token.text === ')') depth -= 1;
      if (token.kind !== 'name') return token.text;
      if (depth > 0 && token.text.includes('..')) return token.text;
      return tidyName(token.text, tokens[index - 1]?.text === ']', tokens[index + 1]?.text === '[');
    })
    .join('');
}

/** The variable that contains the whole event: `{{ . }}`. */
export const WHOLE_EVENT = '__event';

const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;
const PLAIN_SEGMENT = /^[\p{L}\p{N}_-]+\??$/u;

/** `..a.b.` → `.a.b`, `a.@id` → `a['@id']`; removes a dot before a bracket. */
function tidyName(name: string, afterBracket: boolean, beforeBracket: boolean): string {
  if (NUMBER.test(name)) return name;
  const segments = name.split('.').filter((segment) => segment !== '');
  if (segments.length === 0) return afterBracket || beforeBracket ? '' : WHOLE_EVENT;
  const [first = '', ...rest] = segments;
  const start = afterBracket ? segmentText(first, '.') : segmentText(first, '');
  return start + rest.map((segment) => segmentText(segment, '.')).join('');
}

function segmentText(segment: string, prefix: string): string {
  if (PLAIN_SEGMENT.test(segment) || /^[*=!<>-]+$/.test(segment)) return prefix + segment;
  return `["${segment.replaceAll('\\', '\\\\')}"]`;
}
