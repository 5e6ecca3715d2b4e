import { stringifyJson } from '../../platform/json/exact-number.js';
import { Unprocessable } from '../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { writeQueryString } from '../../platform/http/address/query-string.js';
import type { JsonMembers } from '../../platform/json/json-members.js';
import { readSmall } from './small-arguments.js';
import { written } from './split-message.js';
import type { ApiTool } from './tool.js';

/** So many unknown arguments are refused with the other problems of a request, more of them before. */
const FEW_UNKNOWN = 20;

/** A request to the API, made of the arguments of a tool. Its body has not been read: only path and query have. */
export interface ApiRequest {
  method: string;
  params: Record<string, string>;
  /** With the values of `params`. */
  path: string;
  query: JsonObject;
  /** Empty for a route that takes none. */
  body: Uint8Array;
  /** Path and query. */
  address: string;
}

/**
 * Distributes the arguments of a tool over the parts of a request: those of path and query are read, those of the body stay
 * a text. A few unknown ones go where the API refuses them by name.
 * @throws Unprocessable if one of the path is missing, and for many unknown ones, by name; PayloadTooLarge for too much in
 * path and query; BadRequest.
 */
export function apiRequestOf<Services>(tool: ApiTool<Services>, given: JsonMembers): ApiRequest {
  const { route, inQuery } = tool;
  refuseUnknown(tool, given);
  const inPath = idsIn(route.path);
  const inBody = (name: string) => route.body !== undefined && !inPath.includes(name) && !inQuery.has(name);
  const members = [...given.texts];
  const values = readSmall(written(members.filter(([name]) => !inBody(name))));
  const params = paramsOf(inPath, values);
  const query = Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.includes(name)));
  // Asked for a page, a list has one form, with the number of all.
  if (inQuery.has('page') && query['cursor'] === undefined) query['page'] ??= 1;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const asked = writeQueryString(query);
  const body = written(members.filter(([name]) => inBody(name)));
  return {
    method: route.method.toUpperCase(),
    params,
    path,
    query,
    body: route.body === undefined ? new Uint8Array() : Buffer.from(body),
    address: asked === '' ? path : `${path}?${asked}`,
  };
}

/** @throws Unprocessable naming each id that is missing. */
function paramsOf(inPath: readonly string[], values: JsonObject): Record<string, string> {
  const missing = inPath.filter((name) => textOf(values[name]) === '');
  if (missing.length > 0) {
    throw new Unprocessable(missing.map((name) => ({ message: `"${name}" is required`, details: name })));
  }
  return Object.fromEntries(inPath.map((name) => [name, textOf(values[name])]));
}

/** Without joi, which takes long for many names. A few unknown ones are refused by the route, among the other problems. */
function refuseUnknown<Services>(
  { inputSchema, route }: ApiTool<Services>,
  { texts, more }: JsonMembers,
): void {
  const { ignored = [], unsupported = {}, path } = route;
  const declared = Object.keys(inputSchema['properties'] as JsonObject);
  const known = new Set([...declared, ...ignored, ...Object.keys(unsupported), ...idsIn(path)]);
  const unknown = [...texts.keys()].filter((name) => !known.has(name));
  if (unknown.length <= FEW_UNKNOWN && more === 0) return;
  const named = unknown.slice(0, FEW_UNKNOWN);
  const left = unknown.length + more - named.length;
  throw new Unprocessable([
    ...named.map((name) => ({ message: `"${name}" is not allowed`, details: name })),
    ...(left > 0 ? [{ message: `… and ${left} more` }] : []),
  ]);
}

function idsIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}
