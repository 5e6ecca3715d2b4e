import type { JsonValue } from '../platform/json.js';
import { escapedOnceLess, holdsReference } from '../platform/secrets/secret-reference.js';
import { parseTemplateJson } from '../platform/json/whole-json.js';
import type { TemplateLanguage } from './template.js';
import { parsedJson } from './values/json-result.js';

/** Options whose parts may be JSON by their author's hand (decision 0043). */
const HOLDERS = ['payload', 'local'];
const FOR_BLOCK = /<%\s*for\b/i;
/** Beginnings and ends of what is not the author's literal text. */
const TEMPLATES = {
  formula: { begin: /<<|<%/, end: />>|%>/ },
  liquid: { begin: /\{\{|\{%/, end: /\}\}|%\}/ },
};

/**
 * Returns the value that a rendered text stands for, if its author wrote JSON round the templates: a text in double quotes
 * is the text without them, and a list of JSON that a `for` block of formulas writes is the list. Any other text stays as it is.
 */
export function writtenValue(
  rendered: string,
  source: string,
  { path, language }: { path: readonly (string | number)[]; language: TemplateLanguage },
): JsonValue {
  if (path.length < 2 || !HOLDERS.includes(String(path[0]))) return rendered;
  const written = source.trim();
  if (isWithin(written, '"', '"')) return unquoted(rendered, literalText(written, language));
  const isLoop = language.name === 'formula' && isWithin(written, '[', ']') && FOR_BLOCK.test(written);
  // Otherwise the values would decide: [<<a>>] round a number would be a list, round a word a text.
  return isLoop && /[{"[]/.test(literalText(written.slice(1, -1), language))
    ? parsedJson(rendered)
    : rendered;
}

/** Returns what the author wrote round the templates. */
function literalText(source: string, { name }: TemplateLanguage): string {
  const { begin, end } = TEMPLATES[name];
  const [first = '', ...others] = source.split(begin);
  return first + others.map((part) => part.split(end).slice(1).join('')).join('');
}

function isWithin(text: string, first: string, last: string): boolean {
  return text.length > 1 && text.startsWith(first) && text.endsWith(last);
}

/**
 * Returns the text of a JSON string; any other text as it is. If the author wrote no backslash, those in it come from values
 * and escape nothing: `C:\new` has no line feed.
 */
function unquoted(rendered: string, literal: string): JsonValue {
  if (!isWithin(rendered.trim(), '"', '"')) return rendered;
  const isEscaped = literal.includes('\\') || holdsReference(rendered);
  try {
    return parseTemplateJson(isEscaped ? escapedOnceLess(rendered) : rendered.replaceAll('\\', '\\\\'));
  } catch {
    return rendered;
  }
}
