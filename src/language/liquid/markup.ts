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
  return withoutGaps(tokens);
}

/** Words after which a value is expected: a name before a dot or bracket ends with white space there. */
const WORDS = new Set(['and', 'or', 'not', 'contains', 'in', 'limit', 'offset', 'reversed', 'cols']);

/** Removes white space around the dots and before the brackets of a reference: `a . b ['c']` → `a.b['c']`. */
function withoutGaps(tokens: readonly MarkupToken[]): MarkupToken[] {
  const result: MarkupToken[] = [];
  let filterName: 'next' | 'read' | undefined;
  for (const [index, token] of tokens.entries()) {
    const last = result.at(-1);
    const next = tokens[index + 1];
    if (token.kind === 'space' && next !== undefined && filterName !== 'read' && isGap(last, next)) continue;
    if (token.kind === 'name' && last?.kind === 'name') last.text += token.text;
    else result.push({ ...token });
    if (token.text === '|') filterName = 'next';
    else if (token.kind !== 'space') filterName = filterName === 'next' ? 'read' : undefined;
  }
  return result;
}

function isGap(before: MarkupToken | undefined, after: MarkupToken): boolean {
  if (before?.kind === 'name' && WORDS.has(before.text)) return false;
  const endsValue = before?.kind === 'name' || (before?.kind === 'mark' && before.text === ']');
  if (!endsValue) return false;
  if (after.kind === 'mark') return after.text === '[';
  if (after.kind !== 'name' || WORDS.has(after.text)) return false;
  return before.text.endsWith('.') || after.text.startsWith('.');
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
  const parts: string[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const range = tokens[index]?.text === '(' ? rangeAt(tokens, index) : undefined;
    if (range === undefined) parts.push(tokenText(tokens, index));
    else parts.push(range.text);
    index = range?.end ?? index;
  }
  return parts.join('');
}

function tokenText(tokens: readonly MarkupToken[], index: number): string {
  const token = tokens[index];
  if (token?.kind === 'string') return token.text.replaceAll('\\', '\\\\');
  if (token?.kind !== 'name') return token?.text ?? '';
  return tidyName(token.text, tokens[index - 1]?.text === ']', tokens[index + 1]?.text === '[');
}

/** The filter that makes the list of a range: its ends need not be whole numbers. */
export const RANGE = '__range';

const WRITTEN_RANGE = new RegExp(String.raw`^\((.*) \| ${RANGE}: (.*)\)$`, 's');

/** Returns a rewritten range as its author wrote it, without white space: `(1..3)`; any other text unchanged. */
export function authorsRange(text: string): string {
  return text.replace(WRITTEN_RANGE, '($1..$2)');
}

/** Returns the range whose parenthesis opens at `start`, and the index where it closes. */
function rangeAt(tokens: readonly MarkupToken[], start: number): { text: string; end: number } | undefined {
  const ends: [MarkupToken[], MarkupToken[]] = [[], []];
  let isSecond = false;
  for (let index = start + 1; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || token.text === '(' || token.text === '|') return undefined;
    if (token.text === ')') {
      const [first, last] = ends.map((end) => writeMarkup(end).trim());
      return isSecond ? { text: `(${first ?? ''} | ${RANGE}: ${last ?? ''})`, end: index } : undefined;
    }
    const dots = isSecond || token.kind !== 'name' ? -1 : token.text.indexOf('..');
    if (dots === -1) ends[isSecond ? 1 : 0].push(token);
    else {
      if (dots > 0) ends[0].push({ kind: 'name', text: token.text.slice(0, dots) });
      if (dots + 2 < token.text.length) ends[1].push({ kind: 'name', text: token.text.slice(dots + 2) });
      isSecond = true;
    }
  }
  return undefined;
}

/** The variable that contains the whole event: `{{ . }}`. */
export const WHOLE_EVENT = '__event';

/** Constants, unless a dot or bracket follows: `empty.b` is the key of a variable. */
const LITERALS = new Set(['nil', 'null', 'true', 'false', 'blank', 'empty']);
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;
const PLAIN_SEGMENT = /^[\p{L}\p{N}_-]+\??$/u;

/** `..a.b.` → `.a.b`, `a.@id` → `a['@id']`; removes a dot before a bracket. */
function tidyName(name: string, afterBracket: boolean, beforeBracket: boolean): string {
  if (NUMBER.test(name)) return name;
  const segments = name.split('.').filter((segment) => segment !== '');
  if (segments.length === 0) return afterBracket || beforeBracket ? '' : WHOLE_EVENT;
  const [first = '', ...rest] = segments;
  const isName = !afterBracket && LITERALS.has(first) && (rest.length > 0 || beforeBracket);
  const start = isName ? `["${first}"]` : segmentText(first, afterBracket ? '.' : '');
  return start + rest.map((segment) => segmentText(segment, '.')).join('');
}

function segmentText(segment: string, prefix: string): string {
  if (PLAIN_SEGMENT.test(segment) || /^[*=!<>-]+$/.test(segment)) return prefix + segment;
  return `["${segment.replaceAll('\\', '\\\\')}"]`;
}
