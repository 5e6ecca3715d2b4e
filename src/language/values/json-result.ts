import type { JsonValue } from '../../platform/json.js';
import { escapedOnceLess } from '../../platform/secrets/secret-reference.js';
import { jsonWeight } from './json-weight.js';
import { parseTemplateJson } from '../../platform/json/whole-json.js';

/**
 * Returns the list or object that a JSON text represents, or else the text (spec §8.2).
 * @throws TemplateError if it has too many values, or is too deep.
 */
export function parsedJson(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  jsonWeight(text);
  try {
    return parseTemplateJson(escapedOnceLess(text));
  } catch {
    return text;
  }
}

/** Returns the value of a rendered text for an option that takes values: parsed, unless the option keeps texts. */
export function valueOfText(text: string, { keepsText }: { keepsText?: boolean }): JsonValue {
  return keepsText === true ? text : parsedJson(text);
}
