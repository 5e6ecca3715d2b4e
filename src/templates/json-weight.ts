import { MAX_JSON_VALUES, MAX_VALUE_DEPTH } from './limits.js';
import { TemplateError } from './template.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * How many values, about, a JSON text is going to make. Read before the text is parsed, which cannot be
 * interrupted and takes far more memory than the text where that is brackets and commas.
 * @throws TemplateError for more than MAX_JSON_VALUES, or deeper than MAX_VALUE_DEPTH.
 */
export function jsonWeight(text: string): number {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST || code === OBJECT) {
      values += 1;
      depth += 1;
      if (depth > MAX_VALUE_DEPTH)
        throw new TemplateError(`JSON nested deeper than ${MAX_VALUE_DEPTH} levels cannot be read`);
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    else if (code === COMMA) values += 1;
    if (values > MAX_JSON_VALUES)
      throw new TemplateError(`JSON of more than ${MAX_JSON_VALUES} values is too large`);
  }
  return values;
}

/** Where the quote stands that closes the one at `start`; the text's end where none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
