import type { JsonValue } from '../platform/json.js';
import { parseJson } from '../platform/json/parse-json.js';
import { parseSentJson } from '../platform/json/whole-json.js';
import { escapedOnceLess } from '../platform/secrets/secret-reference.js';

/** Returns a list, or the list that a JSON text holds; undefined for everything else. */
export function jsonListOf(value: JsonValue | undefined): JsonValue[] | undefined {
  const parsed = typeof value === 'string' && value.trimStart().startsWith('[') ? readJson(value) : value;
  return Array.isArray(parsed) ? parsed : undefined;
}

/** Returns the value of a JSON text; undefined if it is not valid JSON. */
export function readJson(text: string): JsonValue | undefined {
  return parsedBy(parseJson, text);
}

/** The same for the JSON text of another program (`parseSentJson`). */
export function readSentJson(text: string): JsonValue | undefined {
  return parsedBy(parseSentJson, text);
}

function parsedBy(parse: (text: string) => JsonValue, text: string): JsonValue | undefined {
  try {
    return parse(escapedOnceLess(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
