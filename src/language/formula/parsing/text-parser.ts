import { FormulaFault } from '../formula-fault.js';
import {
  MAX_ALL_PARTS_CHARACTERS,
  MAX_NESTING,
  MAX_PART_CHARACTERS,
  MAX_TEXT_PARTS,
  MAX_TEXT_CHARACTERS,
} from '../formula-limits.js';
import { findClosing } from './lexer.js';
import { parseExpression } from './parser.js';
import type { FormulaText, TextPart } from './syntax-tree.js';

/** Returns true if a text is a formula as a whole. Two equals signs start a heading, not a formula. */
function isWholeFormula(text: string): boolean {
  return /^\s*=(?!=)/.test(text);
}

/**
 * Returns true if a text is a formula, or has a pill or a block. An unclosed pill or block is plain text. So is the
 * content of a file (an image in a form, for example), which has `<<` by chance and NUL characters.
 */
export function hasFormula(text: string): boolean {
  if (text.includes('\0')) return false;
  return isWholeFormula(text) || hasPair(text, '<<', '>>') || hasPair(text, '<%', '%>');
}

function hasPair(text: string, opening: string, closing: string): boolean {
  const start = text.indexOf(opening);
  return start !== -1 && text.includes(closing, start + 2);
}

/** @throws FormulaFault */
export function parseText(text: string): FormulaText {
  if (text.length > MAX_TEXT_CHARACTERS) {
    throw new FormulaFault(`The text is longer than ${MAX_TEXT_CHARACTERS} characters`, 0);
  }
  if (isWholeFormula(text)) {
    const start = text.indexOf('=') + 1;
    return { kind: 'formula', expression: parseExpression(text.slice(start), start) };
  }
  return { kind: 'text', parts: assemble(scan(text)) };
}

interface Piece {
  kind: 'text' | 'pill' | 'block';
  content: string;
  /** Offset of the content in the text. */
  at: number;
}

const CLOSING = { pill: '>>', block: '%>' };

/** Splits a text into plain text and the contents of pills and blocks, in order. */
function scan(text: string): Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  let characters = 0;
  const opening = /<<|<%/g;
  // If one is never closed, no later one is: it is not searched for again.
  const neverClosed = new Set<string>();
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const kind = found[0] === '<<' ? 'pill' : 'block';
    const at = found.index + 2;
    const end = neverClosed.has(kind) ? -1 : findClosing(text, CLOSING[kind], at, MAX_PART_CHARACTERS);
    if (end === -1) {
      neverClosed.add(kind);
      continue;
    }
    if (end - at > MAX_PART_CHARACTERS) {
      throw new FormulaFault(`The part starting here is longer than ${MAX_PART_CHARACTERS} characters`, at);
    }
    pieces.push({ kind: 'text', content: text.slice(position, found.index), at: position });
    pieces.push({ kind, content: text.slice(at, end), at });
    characters += end - at;
    if (characters > MAX_ALL_PARTS_CHARACTERS)
      throw new FormulaFault(`More than ${MAX_ALL_PARTS_CHARACTERS} characters in pills and blocks`, at);
    if (pieces.length > MAX_TEXT_PARTS * 2)
      throw new FormulaFault(`More than ${MAX_TEXT_PARTS} pills and blocks`, at);
    position = end + 2;
    opening.lastIndex = position;
  }
  pieces.push({ kind: 'text', content: text.slice(position), at: position });
  return pieces.filter(({ kind, content }) => kind !== 'text' || content !== '');
}

/** An open block, and the list for the parts that follow. */
interface Open {
  block: TextPart & { kind: 'if' | 'for' };
  parts: TextPart[];
}

function assemble(pieces: Piece[]): TextPart[] {
  const top: TextPart[] = [];
  const open: Open[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'block') takeBlock(piece, top, open);
    else (open.at(-1)?.parts ?? top).push(partOf(piece));
  }
  const unclosed = open.at(-1)?.block;
  if (unclosed !== undefined) {
    throw new FormulaFault(`<% ${unclosed.kind} %> has no <% end${unclosed.kind} %>`, unclosed.at);
  }
  return top;
}

function partOf({ kind, content, at }: Piece): TextPart {
  if (kind === 'text') return { kind: 'text', text: content };
  if (content.trim() === '') return { kind: 'text', text: '' };
  return { kind: 'pill', expression: parseExpression(content, at), at };
}

const BLOCK = /^\s*(\w+)\s*/;

function takeBlock(piece: Piece, top: TextPart[], open: Open[]): void {
  const [head = '', word = ''] = BLOCK.exec(piece.content) ?? [];
  const rest = { source: piece.content.slice(head.length), at: piece.at + head.length };
  const { at } = piece;
  const begin = (block: Open['block'], parts: TextPart[]) => {
    (open.at(-1)?.parts ?? top).push(block);
    open.push({ block, parts });
    if (open.length > MAX_NESTING)
      throw new FormulaFault(`More than ${MAX_NESTING} blocks inside each other`, at);
  };
  const parts: TextPart[] = [];
  switch (word.toLowerCase()) {
    case 'if':
      return begin(
        { kind: 'if', branches: [{ condition: parseExpression(rest.source, rest.at), parts }], at },
        parts,
      );
    case 'for':
      return begin({ ...parseFor(rest.source, rest.at), parts, at }, parts);
    case 'elsif':
    case 'elseif':
      return addBranch(open, at, parseExpression(rest.source, rest.at));
    case 'else':
      return addBranch(open, at, undefined);
    case 'endif':
      return close(open, 'if', at);
    case 'endfor':
      return close(open, 'for', at);
    default:
      throw new FormulaFault(
        `<%${piece.content.slice(0, 50)}%> is not if, elsif, else, endif, for or endfor`,
        at,
      );
  }
}

function parseFor(source: string, at: number) {
  const found = /^([\p{L}_][\p{L}\p{N}_]*)\s+in\s/iu.exec(source);
  if (found === null) throw new FormulaFault('A loop is written <% for name in list %>', at);
  const [head, variable = ''] = found;
  const collection = parseExpression(source.slice(head.length), at + head.length);
  return { kind: 'for' as const, variable, collection };
}

function addBranch(
  open: Open[],
  at: number,
  condition: ReturnType<typeof parseExpression> | undefined,
): void {
  const last = open.at(-1);
  const branches = last?.block.kind === 'if' ? last.block.branches : undefined;
  if (last === undefined || branches === undefined) {
    throw new FormulaFault('There is no matching <% if %>', at);
  }
  if (branches.at(-1)?.condition === undefined) throw new FormulaFault('Nothing can follow <% else %>', at);
  last.parts = [];
  branches.push({ condition, parts: last.parts });
}

function close(open: Open[], kind: 'if' | 'for', at: number): void {
  if (open.at(-1)?.block.kind !== kind) {
    throw new FormulaFault(`There is no matching <% ${kind} %>`, at);
  }
  open.pop();
}
