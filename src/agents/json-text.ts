import type { JsonValue } from '../platform/json.js';
import { escapedOnceLess } from '../platform/text/secret-reference.js';

/** Returns a list, or the list that a JSON text holds; undefined for everything else. */
export function jsonListOf(value: JsonValue | undefined): JsonValue[] | undefined {
  const parsed = typeof value === 'string' && value.trimStart().startsWith('[') ? parseJson(value) : value;
  return Array.isArray(parsed) ? parsed : undefined;
}

/** Parses a JSON text; undefined if it is not valid JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(escapedOnceLess(text)) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
