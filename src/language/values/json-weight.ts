import { measureJson } from '../../platform/json/json-measure.js';
import { MAX_JSON_VALUES, MAX_VALUE_DEPTH } from '../limits.js';
import { TemplateError } from '../../platform/text/template-error.js';

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
