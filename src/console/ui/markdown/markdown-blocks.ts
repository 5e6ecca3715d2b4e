import { type Inline, inlinesIn } from './markdown-inlines.js';

/** An entry of a list. */
export interface ListEntry {
  /** How far it is to the right, from 0. */
  level: number;
  /** `•`, a number, or a box. */
  mark: string;
  inside: Inline[];
}

/** A part of a Markdown text. */
export type Block =
  | { kind: 'paragraph' | 'heading'; inside: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; entries: ListEntry[] }
  | { kind: 'rule' };

/** Quotes in quotes are read this deep; deeper ones are text. */
const DEEPEST = 4;
const MOST_LEVELS = 6;

const FENCE = /^\s{0,3}(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(\S.*)$/;
const RULE = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^\s{0,3}> ?/;
const ENTRY = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(?:\[([ xX])\]\s+)?(\S.*)$/;

/** Returns the parts of a Markdown text. Marks that are not known, HTML among them, stay the text that they are. */
export function blocksIn(text: string, depth = 0): Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = readBlock(lines, at, depth);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** Returns the block that begins at a line, and the line after it; no block for an empty line. */
function readBlock(lines: readonly string[], at: number, depth: number): [Block | undefined, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [undefined, at + 1];
  if (FENCE.test(line)) return readCode(lines, at + 1);
  if (RULE.test(line)) return [{ kind: 'rule' }, at + 1];
  const heading = HEADING.exec(line);
  if (heading !== null) return [{ kind: 'heading', inside: inlinesIn(heading[1] ?? '') }, at + 1];
  if (isQuote(line, depth)) {
    const end = endOf(lines, at, (each) => isQuote(each, depth));
    const inner = lines.slice(at, end).map((each) => each.replace(QUOTE, ''));
    return [{ kind: 'quote', blocks: blocksIn(inner.join('\n'), depth + 1) }, end];
  }
  if (ENTRY.test(line)) {
    const end = endOf(lines, at, (each) => ENTRY.test(each));
    return [{ kind: 'list', entries: lines.slice(at, end).map(entryOf) }, end];
  }
  const end = endOf(lines, at, (each) => !beginsAnother(each, depth));
  const paragraph = lines.slice(at, Math.max(end, at + 1)).join('\n');
  return [{ kind: 'paragraph', inside: inlinesIn(paragraph) }, Math.max(end, at + 1)];
}

function readCode(lines: readonly string[], from: number): [Block, number] {
  const end = endOf(lines, from, (line) => !FENCE.test(line));
  return [{ kind: 'code', text: lines.slice(from, end).join('\n') }, end + 1];
}

function entryOf(line: string): ListEntry {
  const [, indent = '', number, box, text = ''] = ENTRY.exec(line) ?? [];
  const level = Math.min(Math.floor(indent.replaceAll('\t', '  ').length / 2), MOST_LEVELS);
  const tick = box === undefined ? undefined : box === ' ' ? '☐' : '☑';
  return { level, mark: tick ?? number ?? '•', inside: inlinesIn(text) };
}

function beginsAnother(line: string, depth: number): boolean {
  return (
    line.trim() === '' ||
    isQuote(line, depth) ||
    [FENCE, RULE, HEADING, ENTRY].some((pattern) => pattern.test(line))
  );
}

const isQuote = (line: string, depth: number) => depth < DEEPEST && QUOTE.test(line);

function endOf(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && belongs(lines[at] ?? '')) at += 1;
  return at;
}
