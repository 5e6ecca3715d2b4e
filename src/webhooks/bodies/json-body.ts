import { BadRequest } from '../../errors.js';
import { isJsonObject, type JsonValue } from '../../json.js';
import { decodeText } from './charset.js';

/** Deeper values could not be written as JSON text again: serialising is recursive. */
export const MAX_JSON_DEPTH = 1000;

/**
 * Parses a body that is declared as JSON; undefined when it is only white space.
 * @throws BadRequest when it is not JSON, or nested deeper than `MAX_JSON_DEPTH`.
 */
export function parseJsonBody(bytes: Buffer, charset: string | undefined): JsonValue | undefined {
  const text = decodeText(bytes, charset);
  if (text === undefined) throw new BadRequest('The request body is declared as JSON but is not valid text');
  if (text.trim() === '') return undefined;
  const value = parse(text);
  if (isTooDeep(value, text.length)) {
    throw new BadRequest(`The JSON body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  return value;
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    // The parser's message quotes the body: it is for the caller, who sent it, and nobody else.
    throw new BadRequest(`The request body is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Some senders label JSON as text: the object or list that `text` is, or undefined (decisions §4, Bodies). */
export function sniffJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isTooDeep(value, text.length) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Each level takes two characters, so that short texts need no look inside. */
function isTooDeep(value: JsonValue, textLength: number): boolean {
  return textLength > 2 * MAX_JSON_DEPTH && exceeds(value, MAX_JSON_DEPTH);
}

function exceeds(value: JsonValue, levels: number): boolean {
  if (Array.isArray(value)) return levels === 0 || value.some((item) => exceeds(item, levels - 1));
  if (!isJsonObject(value)) return false;
  if (levels === 0) return true;
  for (const key in value) {
    const item = value[key];
    if (typeof item === 'object' && item !== null && exceeds(item, levels - 1)) return true;
  }
  return false;
}
