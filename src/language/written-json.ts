import type { JsonValue } from '../platform/json.js';
import { escapedOnceLess } from '../platform/text/secret-reference.js';
import { parseTemplateJson } from '../platform/text/whole-json.js';
import type { TemplateLanguage } from './template.js';
import { parsedJson } from './values/json-result.js';

/** Options whose parts may be JSON by their author's hand (decision 0096). */
const HOLDERS = ['payload', 'local'];
const FOR_BLOCK = /<%\s*for\b/i;

/**
 * Returns the value that a rendered text stands for, if its author wrote JSON round the templates: a text in double quotes
 * is the text without them, and a list that a `for` block of formulas writes is the list. Any other text stays as it is.
 */
export function writtenValue(
  rendered: string,
  source: string,
  { path, language }: { path: readonly (string | number)[]; language: TemplateLanguage },
): JsonValue {
  if (path.length < 2 || !HOLDERS.includes(String(path[0]))) return rendered;
  const written = source.trim();
  if (isWithin(written, '"', '"')) return unquoted(rendered);
  const isLoop = language.name === 'formula' && isWithin(written, '[', ']') && FOR_BLOCK.test(written);
  return isLoop ? parsedJson(rendered) : rendered;
}

function isWithin(text: string, first: string, last: string): boolean {
  return text.length > 1 && text.startsWith(first) && text.endsWith(last);
}

/** Returns the text of a JSON string; any other text as it is. */
function unquoted(rendered: string): JsonValue {
  if (!isWithin(rendered.trim(), '"', '"')) return rendered;
  try {
    return parseTemplateJson(escapedOnceLess(rendered));
  } catch {
    return rendered;
  }
}
