import type { JsonValue } from '../json.js';
import { TextFault } from '../text/text-fault.js';
import { measureJson } from './json-measure.js';
import { endOfString } from './json-members.js';
import { parseJson } from './parse-json.js';

/** A value that is neither a text, nor a list, nor an object. */
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const SPACES = /[ \t\n\r]*/y;

/**
 * Parses a JSON text that a person may have edited: numbers keep their digits and keys their order.
 * @throws TextFault with the line of the first fault; a key that an object has twice is one, and so is too much nesting.
 */
export function parseStrictJson(text: string, mostDepth: number): JsonValue {
  if (measureJson(text, { depth: mostDepth, values: Number.POSITIVE_INFINITY }).excess !== undefined) {
    throw new TextFault(`is nested deeper than ${mostDepth} levels`, text, 0);
  }
  requireSound(text);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TextFault('is not JSON', text, 0);
  }
}

/** An open object knows its keys; a list has none. */
interface Open {
  keys: Set<string> | undefined;
  isEmpty: boolean;
}

/** @throws TextFault for the first fault. */
function requireSound(text: string): void {
  const open: Open[] = [];
  let at = skipped(text, 0);
  for (;;) {
    at = afterOpening(text, at, open);
    at = afterClosing(text, at, open);
    if (open.length === 0) break;
  }
  if (at < text.length) throw new TextFault('has something after its end', text, at);
}

/** Reads up to the end of the first value that is whole: brackets are opened on the way. */
function afterOpening(text: string, start: number, open: Open[]): number {
  let at = start;
  for (;;) {
    const inner = open.at(-1);
    if (inner?.isEmpty === true && (text[at] === ']' || text[at] === '}')) return at;
    if (inner !== undefined) inner.isEmpty = false;
    if (inner?.keys !== undefined) at = afterKey(text, at, inner.keys);
    if (text[at] !== '{' && text[at] !== '[') return afterPlain(text, at);
    open.push({ keys: text[at] === '{' ? new Set() : undefined, isEmpty: true });
    at = skipped(text, at + 1);
  }
}

/** Closes brackets, up to behind the next comma. */
function afterClosing(text: string, start: number, open: Open[]): number {
  let at = start;
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    if (text[at] === ',' && !inner.isEmpty) return skipped(text, at + 1);
    const end = inner.keys === undefined ? ']' : '}';
    if (text[at] !== end) throw new TextFault(`"," or "${end}" is missing`, text, at);
    open.pop();
    at = skipped(text, at + 1);
  }
  return at;
}

function afterKey(text: string, start: number, keys: Set<string>): number {
  if (text[start] !== '"') throw new TextFault('a key in quotes is missing', text, start);
  const end = textEnd(text, start);
  const key = JSON.parse(text.slice(start, end)) as string;
  if (keys.has(key)) throw new TextFault(`the key "${key.slice(0, 100)}" is there twice`, text, start);
  keys.add(key);
  const colon = skipped(text, end);
  if (text[colon] !== ':') throw new TextFault('":" is missing after a key', text, colon);
  return skipped(text, colon + 1);
}

function afterPlain(text: string, start: number): number {
  if (text[start] === '"') return skipped(text, textEnd(text, start));
  PLAIN.lastIndex = start;
  if (!PLAIN.test(text)) throw new TextFault('a value is missing', text, start);
  return skipped(text, PLAIN.lastIndex);
}

/** Returns the index behind the closing quote. */
function textEnd(text: string, start: number): number {
  const end = endOfString(text, start) + 1;
  try {
    JSON.parse(text.slice(start, end));
  } catch {
    throw new TextFault('a text has no end, or a character that JSON writes with "\\"', text, start);
  }
  return end;
}

function skipped(text: string, at: number): number {
  SPACES.lastIndex = at;
  SPACES.test(text);
  return SPACES.lastIndex;
}
