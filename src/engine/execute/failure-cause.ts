import { STATUS_CODES } from 'node:http';
import { decodeHTML } from 'entities';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { hideInText } from '../../platform/secrets/hidden-secrets.js';
import { characterCount, sliceCharacters } from '../../platform/text/code-points.js';

/** Most characters of a cause. */
const MOST_CHARACTERS = 200;
/** Levels of a JSON body in which its message is looked for: `errors[0].error.message`. */
const MOST_LEVELS = 6;
/** Keys of errors in the order in which they tell more. */
const KEYS = [
  'error_description',
  'error',
  'errors',
  'fault',
  'message',
  'detail',
  'title',
  'faultstring',
  'reason',
];
/** A JSON text that was cut is looked through for the first of these. */
const MESSAGE_IN_CUT = /"(?:message|error|detail|title|error_description)"\s*:\s*"((?:[^"\\]|\\.){1,1000})/;
/** Elements of XML and HTML that hold a message, the more telling first. */
const ELEMENTS = ['faultstring', 'Reason>\\s*<(?:\\w{1,40}:)?Text', 'message', 'title', 'h1'].map(
  (name) => new RegExp(`<(?:\\w{1,40}:)?${name}(?:\\s[^<>]{0,200})?>([^<]{1,1000})<`, 'i'),
);

/**
 * Returns the cause of a failure by a response, in one line of at most 200 characters: `500 · The store is closed`. `mask`
 * hides what is secret in the message before it is cut: a part of a secret would not be recognized.
 */
export function causeOfResponse(
  status: number,
  body: string,
  mask: (text: string) => string = (text) => text,
): string {
  const phrase = STATUS_CODES[status];
  const empty = [String(status), phrase ?? '', `${status} ${phrase ?? ''}`];
  const said = messageIn(body, { empty, mask }) ?? phrase;
  return said === undefined ? String(status) : inOneLine(`${status} · ${said}`);
}

/** Returns the cause of a failure in one line, without links that only editors may see; null if nothing is told. */
export function causeOf({ cause, error }: { cause: string | null; error: string | null }): string | null {
  const told = cause ?? error;
  return told === null ? null : inOneLine(hideInText(told));
}

/** Returns the beginning of a text in one line, without control characters. */
function inOneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return characterCount(line) > MOST_CHARACTERS ? `${sliceCharacters(line, 0, MOST_CHARACTERS - 1)}…` : line;
}

/** Returns the message of a body; undefined if it has none. `empty`: texts that say no more than the status. */
function messageIn(
  body: string,
  { empty, mask }: { empty: readonly string[]; mask: (text: string) => string },
): string | undefined {
  const text = body.trim();
  const says = (found: string | undefined) => {
    const line = inOneLine(hideInText(mask(found ?? '')));
    return line === '' || empty.some((word) => word.toLowerCase() === line.toLowerCase()) ? undefined : line;
  };
  const value = /^[[{"]/.test(text) ? jsonOf(text) : undefined;
  if (value !== undefined) return messageInJson(value, says, 0);
  if (text.startsWith('<')) {
    for (const element of ELEMENTS) {
      const found = says(decodeHTML(element.exec(text)?.[1] ?? ''));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return says(cutMessage(text) ?? text.split(/[\r\n]/, 1)[0]);
}

function messageInJson(
  value: JsonValue | undefined,
  says: (text: string) => string | undefined,
  level: number,
): string | undefined {
  if (typeof value === 'string') return says(value);
  if (level >= MOST_LEVELS) return undefined;
  if (Array.isArray(value)) return messageInJson(value[0], says, level + 1);
  if (!isJsonObject(value)) return undefined;
  for (const key of KEYS) {
    const found = messageInJson(value[key], says, level + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function cutMessage(text: string): string | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  const quoted = MESSAGE_IN_CUT.exec(text)?.[1];
  const value = quoted === undefined ? undefined : jsonOf(`"${quoted}"`);
  return typeof value === 'string' ? value : undefined;
}
