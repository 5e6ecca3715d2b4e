import { stringifyJson } from '../../platform/json/exact-number.js';
import { Unprocessable } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { writeQueryString } from '../../platform/http/query-string.js';
import { type ApiTool, queryNames } from './tool.js';

/** A request to the API, made of the arguments of a tool. */
export interface ApiRequest {
  method: string;
  params: Record<string, string>;
  /** With the values of `params`. */
  path: string;
  query: JsonObject;
  /** Undefined for a route that takes none. */
  body: JsonObject | undefined;
  /** Path and query. */
  address: string;
}

/**
 * Distributes the arguments of a tool over the parts of a request. Unknown ones go where the API refuses them by name.
 * @throws Unprocessable if one of the path is missing.
 */
export function apiRequestOf<Services>({ route }: ApiTool<Services>, given: unknown): ApiRequest {
  const values = isJsonObject(given) ? given : {};
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const missing = inPath.filter((name) => textOf(values[name]) === '');
  if (missing.length > 0) {
    throw new Unprocessable(missing.map((name) => ({ message: `"${name}" is required`, details: name })));
  }
  const inQuery = new Set(queryNames(route));
  const params = Object.fromEntries(inPath.map((name) => [name, textOf(values[name])]));
  const rest = Object.entries(values).filter(([name]) => !inPath.includes(name));
  const takesBody = route.body !== undefined;
  const query = Object.fromEntries(rest.filter(([name]) => !takesBody || inQuery.has(name)));
  const body = Object.fromEntries(rest.filter(([name]) => !inQuery.has(name)));
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const written = writeQueryString(query);
  return {
    method: route.method.toUpperCase(),
    params,
    path,
    query,
    body: takesBody ? body : undefined,
    address: written === '' ? path : `${path}?${written}`,
  };
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}
