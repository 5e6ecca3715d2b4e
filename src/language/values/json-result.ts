import type { JsonValue } from '../../platform/json.js';
import { escapedOnceLess } from '../../platform/secrets/secret-reference.js';
import { measureJson } from '../../platform/json/json-measure.js';
import { MAX_JSON_VALUES, MAX_VALUE_DEPTH } from '../limits.js';
import { TemplateError } from '../../platform/text/template-error.js';
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

/**
 * Returns about how many values a JSON text contains; call it before parsing.
 * @throws TemplateError for more than MAX_JSON_VALUES, or deeper than MAX_VALUE_DEPTH.
 */
export function jsonWeight(text: string): number {
  // The outermost value counts as one, but costs nothing.
  const { values, excess } = measureJson(text, { depth: MAX_VALUE_DEPTH, values: MAX_JSON_VALUES + 1 });
  if (excess === 'depth')
    throw new TemplateError(`JSON nested deeper than ${MAX_VALUE_DEPTH} levels cannot be read`);
  if (excess === 'values')
    throw new TemplateError(`JSON of more than ${MAX_JSON_VALUES} values is too large`);
  return values - 1;
}
