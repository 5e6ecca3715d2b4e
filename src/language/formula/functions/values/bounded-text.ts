import { MAX_OUTPUT_CHARACTERS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { textOf } from '../../../values/values.js';

/**
 * `textOf` for the values of one list or object: throws as soon as their texts together are too long, because
 * many elements may be the same large value.
 */
export function boundedTextOf(): (value: unknown) => string {
  let length = 0;
  return (value) => {
    const text = textOf(value);
    length += text.length;
    if (length > MAX_OUTPUT_CHARACTERS) throw new TemplateError('the result is too long');
    return text;
  };
}
