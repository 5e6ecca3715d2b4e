import { isNumeric, readNumeric } from '../../../platform/json/exact-number.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { CREDENTIAL_HEADERS } from '../../../platform/headers/credential-headers.js';

/** A text, number or boolean in a payload. */
export interface Leaf {
  /** JSON path of the database, with `[*]` for any element of a list. */
  path: string;
  /** Its text, in the form by which it is compared. */
  text: string;
}

/** Most steps of a path that is indexed. */
export const MAX_INDEXED_DEPTH = 8;
/** Most characters of a text that is indexed. */
export const MAX_TEXT = 256;
/** Parts of a payload that are looked at for its leaves. */
const MAX_PARTS = 5_000;

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns a value's text in the form by which it is compared: without spaces at its end, as the database compares, and
 * numbers in one notation.
 */
export function comparedText(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  const trimmed = text.slice(0, end);
  return JSON_NUMBER.test(trimmed) ? String(readNumeric(trimmed)) : trimmed;
}

interface Part {
  path: string;
  depth: number;
  value: JsonValue;
}

/**
 * Returns the payload's leaves, those near its top first, up to the bounds above. Values of headers that authenticate,
 * null, empty and long texts are none.
 */
export function* leavesOf(payload: JsonValue): Generator<Leaf> {
  const parts: Part[] = [{ path: '$', depth: 0, value: payload }];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) return;
    const text = textOf(part.value);
    if (text !== undefined) yield { path: part.path, text };
    else if (part.depth < MAX_INDEXED_DEPTH) addParts(parts, part);
  }
}

/** Returns whether any value in the payload has this text; all of them are looked at. */
export function holdsText(payload: JsonValue, text: string): boolean {
  const rest: JsonValue[] = [payload];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (isNumeric(value) || typeof value !== 'object') {
      if (comparedText(String(value)) === text) return true;
    } else if (value !== null) {
      for (const inner of Object.values(value)) rest.push(inner);
    }
  }
  return false;
}

/** Returns the first place of a value with this text: `body.alerts[0].id`; undefined: there is none. */
export function placeOfText(payload: JsonValue, text: string): string | undefined {
  const rest: [path: string, value: JsonValue][] = [['', payload]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [path, value] = next;
    if (value === null) continue;
    if (isNumeric(value) || typeof value !== 'object') {
      if (comparedText(String(value)) === text) return path;
    } else rest.push(...placesIn(path, value).toReversed());
  }
  return undefined;
}

function placesIn(path: string, value: JsonValue[] | JsonObject): [string, JsonValue][] {
  if (Array.isArray(value)) return value.map((inner, index) => [`${path}[${index}]`, inner]);
  const before = path === '' ? '' : `${path}.`;
  return Object.entries(value).map(([key, inner]) => [before + key, inner]);
}

function textOf(value: JsonValue): string | undefined {
  if (!isNumeric(value) && typeof value !== 'string' && typeof value !== 'boolean') return undefined;
  const text = comparedText(String(value));
  return text === '' || text.length > MAX_TEXT ? undefined : text;
}

function addParts(parts: Part[], { path, depth, value }: Part): void {
  if (typeof value !== 'object' || value === null || isNumeric(value)) return;
  const entries = Array.isArray(value)
    ? value.map((inner): [string, JsonValue] => ['[*]', inner])
    : Object.keys(value)
        .filter((key) => !CREDENTIAL_HEADERS.has(key.toLowerCase()))
        .map((key): [string, JsonValue] => [`."${key}"`, value[key] ?? null]);
  const room = MAX_PARTS - parts.length;
  for (const [step, inner] of entries.slice(0, Math.max(0, room))) {
    parts.push({ path: path + step, depth: depth + 1, value: inner });
  }
}
