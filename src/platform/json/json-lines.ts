import type { JsonObject, JsonValue } from '../json.js';
import type { Steps } from '../steps.js';
import { stringifyJson } from './exact-number.js';
import { orderedObject } from './ordered-object.js';
import { parseJson } from './parse-json.js';

/** A line ends with the item that reaches so many characters. */
const LINE_CHARACTERS = 64 * 1024;

/**
 * Returns the object as JSON in lines, which can be parsed one by one: first the object without the items of its lists, then
 * `["key",[item,…]]` with items of one list in each line.
 */
export function jsonLines(object: JsonObject): string {
  const entries = Object.entries(object);
  const rest = orderedObject(
    entries.map(([key, value]): [string, JsonValue] => [key, Array.isArray(value) ? [] : value]),
  );
  const lists = entries.flatMap(([key, value]) => (Array.isArray(value) ? listLines(key, value) : []));
  return [stringifyJson(rest), ...lists].join('\n');
}

function listLines(key: string, list: JsonValue[]): string[] {
  const lines: string[] = [];
  let texts: string[] = [];
  let length = 0;
  for (const [index, item] of list.entries()) {
    const text = stringifyJson(item);
    texts.push(text);
    length += text.length;
    if (length < LINE_CHARACTERS && index + 1 < list.length) continue;
    lines.push(`[${stringifyJson(key)},[${texts.join(',')}]]`);
    [texts, length] = [[], 0];
  }
  return lines;
}

/** Returns the object of a text of `jsonLines`: a step for each line. */
export function* objectOfLines(text: string): Steps<JsonObject> {
  const [first = '{}', ...lines] = text.split('\n');
  const object = parseJson(first) as JsonObject;
  for (const line of lines) {
    yield;
    const [key, items] = parseJson(line) as [string, JsonValue[]];
    const list = object[key] as JsonValue[];
    for (const item of items) list.push(item);
  }
  return object;
}
