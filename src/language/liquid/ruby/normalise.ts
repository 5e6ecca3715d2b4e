import { TemplateError } from '../../../platform/text/template-error.js';
import { MAX_ALL_TAGS_CHARACTERS, MAX_TAG_CHARACTERS, MAX_TAGS } from '../../limits.js';
import { type Rewritten, rewriteOutput, rewriteTag } from '../rewrite-tag.js';

/** A template for liquidjs, with a mapping of positions to the author's text. */
export interface NormalisedTemplate {
  text: string;
  /** The filters used, with the start of their tag in the author's text. */
  filters: { name: string; offset: number }[];
  /** True if the text is one output tag with only white space around it. */
  isBareOutput: boolean;
  /** Estimated size of the parsed tags, in bytes. */
  parsedBytes: number;
  /** Returns the position in the author's text for an `offset` in `text`: the start of its tag. */
  originalOffset(offset: number): number;
}

interface Piece {
  text: string;
  start: number;
  kind: 'text' | 'output' | 'tag';
  filters: string[];
}

/**
 * Converts the lax spellings of real stories to the syntax of liquidjs: leading, double and trailing
 * dots, `.['key']`, unusual characters in keys, `{{ }}` inside a tag, filters in conditions, missing colons,
 * strings without escapes. The parser reports the remaining faults.
 * @throws TemplateError for more or longer tags than the parser can read in time.
 */
export function normaliseTemplate(source: string): NormalisedTemplate {
  const pieces = [...piecesOf(source)];
  const starts: { at: number; original: number }[] = [];
  let text = '';
  for (const piece of pieces) {
    starts.push({ at: text.length, original: piece.start });
    text += piece.text;
  }
  const shown = pieces.filter((piece) => piece.kind !== 'text' || piece.text.trim() !== '');
  return {
    text,
    filters: pieces.flatMap((piece) => piece.filters.map((name) => ({ name, offset: piece.start }))),
    parsedBytes: parsedBytes(pieces),
    isBareOutput: shown.length === 1 && shown[0]?.kind === 'output',
    originalOffset: (offset) => starts.findLast(({ at }) => at <= offset)?.original ?? 0,
  };
}

/** Measured bytes per tag, and per character inside a tag. */
const TAG_BYTES = 3_000;
const TAG_CHARACTER_BYTES = 64;

function parsedBytes(pieces: readonly Piece[]): number {
  const tags = pieces.filter(({ kind }) => kind !== 'text');
  return tags.reduce((sum, { text }) => sum + TAG_BYTES + TAG_CHARACTER_BYTES * text.length, 0);
}

function* piecesOf(source: string): Generator<Piece> {
  const nextTag = tagFinder(source);
  let position = 0;
  let tags = 0;
  let characters = 0;
  while (position < source.length) {
    const start = nextTag(position);
    if (start > position) yield plain(source, position, start);
    if (start >= source.length) return;
    const end = tagEnd(source, start);
    if (end === -1) {
      // An unclosed tag: the parser reports it with its position.
      yield plain(source, start, source.length);
      return;
    }
    tags += 1;
    characters += end - start;
    refuseCostly(tags, end - start, characters);
    const tag = source[start + 1] === '{' ? outputPiece(source, start, end) : tagPiece(source, start, end);
    yield tag;
    position = endOfVerbatim(source, end, tag);
    if (position > end && isVerbatim(tag) === 'raw') yield plain(source, end, position);
  }
}

function refuseCostly(tags: number, characters: number, ofAllTags: number): void {
  if (tags > MAX_TAGS) throw new TemplateError(`The template has more than ${MAX_TAGS} tags`);
  if (characters > MAX_TAG_CHARACTERS) {
    throw new TemplateError(`The template has a tag longer than ${MAX_TAG_CHARACTERS} characters`);
  }
  if (ofAllTags > MAX_ALL_TAGS_CHARACTERS) {
    throw new TemplateError(`The template has more than ${MAX_ALL_TAGS_CHARACTERS} characters in its tags`);
  }
}

/** Returns a function for the start of the next tag, for ascending positions; it searches for each delimiter only once. */
function tagFinder(source: string): (from: number) => number {
  const next = { '{{': -1, '{%': -1 };
  const find = (delimiter: keyof typeof next, from: number): number => {
    if (next[delimiter] < from) {
      const found = source.indexOf(delimiter, from);
      next[delimiter] = found === -1 ? source.length : found;
    }
    return next[delimiter];
  };
  return (from) => Math.min(find('{{', from), find('{%', from));
}

function plain(source: string, start: number, end: number): Piece {
  return { text: source.slice(start, end), start, kind: 'text', filters: [] };
}

/** Returns the end of the tag at `start`: the position after its closing delimiter, or -1. */
function tagEnd(source: string, start: number): number {
  const isOutput = source[start + 1] === '{';
  const end = isOutput ? outputEnd(source, start) : -1;
  if (end !== -1) return end;
  const close = source.indexOf(isOutput ? '}}' : '%}', start + 2);
  return close === -1 ? -1 : close + 2;
}

/** Returns the end of an output that may contain `}}` inside quotes, or nested braces; -1 if it finds none. */
function outputEnd(source: string, start: number): number {
  const pieces = /"[^"]*"|'[^']*'|\{\{|\}\}/g;
  pieces.lastIndex = start + 2;
  let depth = 1;
  for (let match = pieces.exec(source); match !== null; match = pieces.exec(source)) {
    if (match[0] === '{{') depth += 1;
    else if (match[0] === '}}') depth -= 1;
    // A quoted piece that spans several tags is an apostrophe in text, not a string.
    else if (/\{[{%]/.test(match[0])) return -1;
    if (depth === 0) return pieces.lastIndex;
  }
  return -1;
}

/** Returns `[dash, inside, dash]` of a tag: the dashes control white space. */
function insideOf(source: string, start: number, end: number): [string, string, string] {
  const inside = source.slice(start + 2, end - 2);
  const left = inside.startsWith('-') ? '-' : '';
  const right = inside.length > left.length && inside.endsWith('-') ? '-' : '';
  return [left, inside.slice(left.length, inside.length - right.length), right];
}

function outputPiece(source: string, start: number, end: number): Piece {
  const [left, inside, right] = insideOf(source, start, end);
  const { text, filters } = rewriteOutput(inside);
  return { text: `{{${left}${spaced(text)}${right}}}`, start, kind: 'output', filters };
}

function tagPiece(source: string, start: number, end: number): Piece {
  const [left, inside, right] = insideOf(source, start, end);
  const { text, filters } = rewriteNamed(inside);
  // liquidjs does not find the end of a raw tag if dashes touch it; the left one has no effect in Ruby either.
  const whole = text.trim() === 'endraw' ? `{% endraw ${right}%}` : `{%${left}${spaced(text)}${right}%}`;
  return { text: whole, start, kind: 'tag', filters };
}

/** Adds a space, so that a minus at either end is not read as white space control. */
function spaced(text: string): string {
  return `${text.startsWith('-') ? ' ' : ''}${text}${text.endsWith('-') ? ' ' : ''}`;
}

function rewriteNamed(inside: string): Rewritten {
  const [before = '', name = ''] = /^\s*([\w-]*)/.exec(inside) ?? [];
  const rest = inside.slice(before.length);
  if (name === 'liquid') return rewriteLines(before, rest);
  const { text, filters } = rewriteTag(name, rest);
  return { text: before + text, filters };
}

/** `{% liquid %}` contains one tag per line. */
function rewriteLines(before: string, rest: string): Rewritten {
  const lines = rest
    .split('\n')
    .map((line, index) => (index === 0 ? { text: line, filters: [] } : rewriteNamed(line)));
  return {
    text: before + lines.map((line) => line.text).join('\n'),
    filters: lines.flatMap((line) => line.filters),
  };
}

/** Returns the name if the content of this tag is not a template; the content of a comment is dropped. */
function isVerbatim(piece: Piece): string | undefined {
  return piece.kind === 'tag' ? /^\{%-?\s*(raw|comment|doc)(?![\w-])/.exec(piece.text)?.[1] : undefined;
}

/** Returns the start of the end tag of a verbatim piece; `from` for any other piece. */
function endOfVerbatim(source: string, from: number, piece: Piece): number {
  const name = isVerbatim(piece);
  if (name === undefined) return from;
  if (name !== 'raw') return endOfComment(source, from, name);
  const end = /\{%-?\s*endraw\s*-?%\}/g;
  end.lastIndex = from;
  return end.exec(source)?.index ?? source.length;
}

/** Comments may hold other comments, and raw tags in which nothing else counts. */
function endOfComment(source: string, from: number, name: string): number {
  const tag = /\{%-?\s*(comment|doc|endcomment|enddoc|raw|endraw)(?![\w-])/g;
  tag.lastIndex = from;
  const lastRawEnd = source.lastIndexOf('endraw');
  let depth = 1;
  let isRaw = false;
  for (let match = tag.exec(source); match !== null; match = tag.exec(source)) {
    const [, found] = match;
    if (found === 'endraw') isRaw = false;
    else if (found === 'raw') isRaw = match.index < lastRawEnd;
    else if (!isRaw && found === name) depth += 1;
    else if (!isRaw && found === `end${name}`) depth -= 1;
    if (depth === 0) return match.index;
  }
  return source.length;
}
