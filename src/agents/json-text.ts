import type { JsonValue } from '../platform/json.js';
import { escapedOnceLess } from '../platform/text/secret-reference.js';

/** A list as it is, or written as JSON in a text; undefined for everything else. */
export function jsonListOf(value: JsonValue | undefined): JsonValue[] | undefined {
  const parsed = typeof value === 'string' && value.trimStart().startsWith('[') ? parseJson(value) : value;
  return Array.isArray(parsed) ? parsed : undefined;
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(escapedOnceLess(text)) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
