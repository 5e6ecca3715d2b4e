import type { JsonValue } from '../../platform/json.js';
import { escapedOnceLess } from '../../platform/text/secret-reference.js';
import { jsonWeight } from './json-weight.js';

/**
 * The list or object a text is the JSON of, or the text (spec §8.2).
 * @throws TemplateError where that has too many values, or is too deep.
 */
export function parsedJson(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  jsonWeight(text);
  try {
    return JSON.parse(escapedOnceLess(text)) as JsonValue;
  } catch {
    return text;
  }
}
