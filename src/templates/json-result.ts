import type { JsonValue } from '../json.js';

/** The list or object a text is the JSON of, or the text (decisions §8). */
export function parsedJson(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
