import { messageOf } from '../../platform/errors.js';
import { parseTemplateJson } from '../../platform/json/whole-json.js';
import { escapedOnceLess } from '../../platform/secrets/secret-reference.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { queryJsonPath } from '../values/json-path.js';
import { jsonWeight } from '../values/json-result.js';
import type { FilterCall, FilterTable } from './value-filter.js';
import { isNothing, isRecord, jsonOf, textOf, valueAt } from '../values/values.js';
import { replaceEach } from './lists/replace-each.js';

const asIs = (value: unknown) => value;
const json = (value: unknown) => jsonOf(value);

/** Filters that convert between values and JSON. */
export const jsonFilters: FilterTable = {
  // As the last filter of an output, Liquid replaces these by its own.
  as_object: asIs,
  s_object: asIs,
  raw: asIs,
  json,
  jsonify: json,
  to_json: json,
  neat_json: (value) => jsonOf(value, 2),
  inspect: json,
  json_parse: readJson,
  parse_json: readJson,
  fromjson: (value, call) => readJsonOrNothing(value, call),
  jsonpath: (value, { args: [path], checkTime }) => queryJsonPath(value, textOf(path), checkTime),
  get: (value, { args: [path, fallback] }) => valueOrFirst(value, textOf(path)) ?? fallback,
  default: defaultTo,
};

/** Returns the value of a JSON text; undefined for an empty text; any other value unchanged. */
function readJson(value: unknown, { charge, checkTime }: FilterCall): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  // A parsed value takes more memory than an element of a list.
  charge(jsonWeight(value) * 2);
  const text = escapedOnceLess(value.replace(/^\uFEFF/, ''));
  try {
    return parseTemplateJson(text);
  } catch (error) {
    // JSON built by templates often has line breaks inside its strings.
    const escaped = withEscapedControls(text, checkTime);
    if (escaped === text) throw notJson(error);
    return parsedOr(escaped, () => notJson(error));
  }
}

/** Returns the value of a JSON text; null for any other, as in Huginn. */
function readJsonOrNothing(value: unknown, call: FilterCall): unknown {
  try {
    return readJson(textOf(value), call) ?? null;
  } catch (error) {
    if (error instanceof TemplateError && error.cause instanceof SyntaxError) return null;
    throw error;
  }
}

function parsedOr(text: string, fail: () => TemplateError): unknown {
  try {
    return parseTemplateJson(text);
  } catch {
    throw fail();
  }
}

/** Removes the part of the text that the parser quotes: it may be secret. */
function notJson(cause: unknown): TemplateError {
  const message = messageOf(cause).replace(/, ".*$|\.\.\.".*$/s, '');
  return new TemplateError(`not valid JSON: ${message}`, { cause });
}

/** Escapes control characters inside strings; in one pass, so that a hostile text cannot slow it down. */
function withEscapedControls(text: string, checkTime: () => void): string {
  if (!/\p{Cc}/u.test(text)) return text;
  let inString = false;
  const by = (found: string) => {
    if (found === '"') inString = !inString;
    return inString && found < ' ' ? JSON.stringify(found).slice(1, -1) : found;
  };
  return replaceEach(text, /\\[\s\S]|["\p{Cc}]/gu, { by, checkTime });
}

/** Returns the value at the path; for a list without it, that of its first element which has the path. */
function valueOrFirst(value: unknown, path: string): unknown {
  const own = valueAt(value, path);
  if (own !== undefined || !Array.isArray(value)) return own;
  for (const item of value) {
    const found = valueAt(item, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the fallback for null, false (unless `allow_false: true`), and the empty text, list and object. */
function defaultTo(value: unknown, { args: [fallback = ''], named }: FilterCall): unknown {
  if (value === false) return named.get('allow_false') === true ? value : fallback;
  if (isNothing(value) || value === '') return fallback;
  const isEmpty = (Array.isArray(value) || isRecord(value)) && Object.keys(value).length === 0;
  return isEmpty ? fallback : value;
}
