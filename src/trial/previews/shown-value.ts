import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { isNumeric, stringifyJson } from '../../platform/json/exact-number.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { characterCount, sliceCharacters } from '../../platform/text/code-points.js';

/** What is shown of a value. */
export const SHOWN = { characters: 2_000, lines: 50 };

export const SHOWN_TYPES = ['text', 'number', 'boolean', 'list', 'object', 'null'] as const;

/** A value as people look at it. */
export interface ShownValue {
  /** A text, or the indented JSON of any other value: the beginning of it. */
  value: string;
  type: (typeof SHOWN_TYPES)[number];
  /** The characters of a text, items of a list, keys of an object; null for others. */
  size: number | null;
  /** Whether there is more than `value` has. */
  truncated: boolean;
}

/** Returns the beginning of a value with its type and size. However large it is, little more than the beginning is written. */
export function shownValue(value: JsonValue): ShownValue {
  const text =
    typeof value === 'string' ? value : stringifyJson(beginning(value, { nodes: SHOWN.lines + 1 }), 2);
  const shown = firstPart(text);
  return { value: shown, ...typeOf(value), truncated: shown.length < text.length };
}

function typeOf(value: JsonValue): Pick<ShownValue, 'type' | 'size'> {
  if (typeof value === 'string') return { type: 'text', size: characterCount(value) };
  if (Array.isArray(value)) return { type: 'list', size: value.length };
  if (isJsonObject(value)) return { type: 'object', size: Object.keys(value).length };
  if (isNumeric(value)) return { type: 'number', size: null };
  return { type: value === null ? 'null' : 'boolean', size: null };
}

/** Returns the value without what certainly stands behind its first lines: each value in it begins a line. */
function beginning(value: JsonValue, left: { nodes: number }): JsonValue {
  left.nodes -= 1;
  if (typeof value === 'string') return value.slice(0, SHOWN.characters + 1);
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      if (left.nodes <= 0) break;
      items.push(beginning(item, left));
    }
    return items;
  }
  return isJsonObject(value) ? beginningOfObject(value, left) : value;
}

function beginningOfObject(object: JsonObject, left: { nodes: number }): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const key of Object.keys(object)) {
    if (left.nodes <= 0) break;
    entries.push([key, beginning(object[key] ?? null, left)]);
  }
  return orderedObject(entries);
}

function firstPart(text: string): string {
  let end = -1;
  for (let line = 0; line < SHOWN.lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1 || end > 2 * SHOWN.characters) break;
  }
  const lines = end === -1 ? text : text.slice(0, end);
  return sliceCharacters(lines, 0, SHOWN.characters);
}
