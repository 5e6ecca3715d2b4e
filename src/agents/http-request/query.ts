import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { textOf } from '../options.js';

export type ParamsEncoder = 'nested' | 'flat';

const MAX_DEPTH = 20;

/**
 * Converts an object to form fields. Nested: lists as `k[]=1&k[]=2` and objects as `k[a]=1`. Flat: `k=1&k=2`, and an
 * object as its JSON.
 */
export function formFields(object: JsonObject, encoder: ParamsEncoder): [string, string][] {
  const entries = Object.entries(object);
  return encoder === 'flat'
    ? entries.flatMap(([key, value]) => listOf(value).map((item): [string, string] => [key, textOf(item)]))
    : entries.flatMap(([key, value]) => nestedFields(key, value, MAX_DEPTH));
}

function nestedFields(key: string, value: JsonValue, depth: number): [string, string][] {
  if (depth === 0)
    throw new PermanentJobError(`payload: more than ${MAX_DEPTH} levels cannot be sent as fields`);
  if (Array.isArray(value)) return value.flatMap((item) => nestedFields(`${key}[]`, item, depth - 1));
  if (!isJsonObject(value)) return [[key, textOf(value)]];
  return Object.entries(value).flatMap(([inner, item]) => nestedFields(`${key}[${inner}]`, item, depth - 1));
}

function listOf(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [value];
}

/** Adds fields to the query of `url`; a space becomes `%20`, which every server decodes. */
export function addToQuery(url: URL, fields: [string, string][]): void {
  if (fields.length > 0) addTextToQuery(url, new URLSearchParams(fields).toString().replaceAll('+', '%20'));
}

/** Adds an encoded query to the query of `url`. */
export function addTextToQuery(url: URL, query: string): void {
  const before = url.search.replace(/^\?/, '');
  url.search = [before, query.trim().replace(/^\?/, '')].filter((part) => part !== '').join('&');
}
