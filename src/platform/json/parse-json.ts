import type { JsonObject, JsonValue } from '../json.js';
import { readNumeric } from './exact-number.js';
import { inOrder, isSortedKey } from './ordered-object.js';

const DIGIT = '[\\d.]';
/**
 * Matches a text whose numbers may need their digits: sixteen characters of one, or an exponent of three digits. Written
 * out, because the engine then skips sixteen characters at a time.
 */
const LONG_NUMBER = new RegExp(DIGIT.repeat(16));
const LARGE_EXPONENT = /[eE][+-]?\d{3,}(?:[\s,\]}]|$)/;
const WHOLE_NUMBER_KEY = /"\d+"\s*:|\\u003\d/;

/**
 * Parses a JSON text as `JSON.parse` does, but numbers keep their digits (`ExactNumber`) and keys their order.
 * @throws SyntaxError of `JSON.parse`.
 */
export function parseJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  const isPlain = !LONG_NUMBER.test(text) && !LARGE_EXPONENT.test(text) && !WHOLE_NUMBER_KEY.test(text);
  return isPlain ? value : parseExactly(text);
}

/** An open list or object. */
interface Open {
  list: JsonValue[] | undefined;
  object: JsonObject;
  /** The key whose value comes next. */
  key: string | undefined;
  /** The keys in their order, once JavaScript would sort one of them. */
  order: Set<string> | undefined;
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const [ZERO, NINE] = [0x30, 0x39];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const [TRUE, FALSE, NULL] = [0x74, 0x66, 0x6e];

/** Parses a text that is known to be JSON, without recursion. */
function parseExactly(text: string): JsonValue {
  const top: JsonValue[] = [];
  let inner = opened(true, top);
  const outer: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const string = stringIn(text, at, end);
      if (inner.list === undefined && inner.key === undefined) inner.key = string;
      else put(inner, string);
      at = end;
    } else if (code === LIST || code === OBJECT) {
      outer.push(inner);
      inner = opened(code === LIST);
    } else if (code === LIST_END || code === OBJECT_END) {
      const value = closed(inner);
      inner = outer.pop() ?? inner;
      put(inner, value);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at);
      put(inner, readNumeric(text.slice(at, end)));
      at = end - 1;
    } else if (code === TRUE || code === FALSE || code === NULL) {
      put(inner, code === NULL ? null : code === TRUE);
      at += code === FALSE ? 4 : 3;
    }
  }
  return top[0] ?? null;
}

function opened(isList: boolean, list: JsonValue[] = []): Open {
  return { list: isList ? list : undefined, object: {}, key: undefined, order: undefined };
}

function closed({ list, object, order }: Open): JsonValue {
  return list ?? (order === undefined ? object : inOrder(object, order));
}

function put(open: Open, value: JsonValue): void {
  const { list, object, key = '', order } = open;
  if (list !== undefined) {
    list.push(value);
    return;
  }
  if (order === undefined && isSortedKey(key)) open.order = new Set(Object.keys(object));
  open.order?.add(key);
  if (key === '__proto__') setOwn(object, key, value);
  else object[key] = value;
  open.key = undefined;
}

function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Returns the index of the closing quote of the string at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Returns true after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

function stringIn(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end);
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

/** Digits, `.`, `e`, `E`, `+` and `-`. */
function isOfNumber(code: number): boolean {
  return (
    (code >= ZERO && code <= NINE) ||
    code === 0x2e ||
    (code | 0x20) === 0x65 ||
    code === 0x2b ||
    code === MINUS
  );
}
