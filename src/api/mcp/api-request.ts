import { stringifyJson } from '../../platform/json/exact-number.js';
import { PayloadTooLarge, Unprocessable } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { writeQueryString } from '../../platform/http/query-string.js';
import { readJsonBody } from '../../platform/http/json-body-reader.js';
import type { JsonMembers } from '../../platform/text/json-members.js';
import { written } from './split-message.js';
import type { ApiTool } from './tool.js';

/** The most that path and query take, as in an address; and their values. */
const MAX_ADDRESS_CHARACTERS = 16 * 1024;
const MAX_ADDRESS_VALUES = 1_000;
/** So many unknown arguments are refused with the other problems of a request, more of them before. */
const FEW_UNKNOWN = 20;

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
export function apiRequestOf<Services>({ route, inQuery }: ApiTool<Services>, given: unknown): ApiRequest {
  const values = isJsonObject(given) ? given : {};
  const inPath = idsIn(route.path);
  const missing = inPath.filter((name) => textOf(values[name]) === '');
  if (missing.length > 0) {
    throw new Unprocessable(missing.map((name) => ({ message: `"${name}" is required`, details: name })));
  }
  const params = Object.fromEntries(inPath.map((name) => [name, textOf(values[name])]));
  const rest = Object.entries(values).filter(([name]) => !inPath.includes(name));
  const takesBody = route.body !== undefined;
  const query = Object.fromEntries(rest.filter(([name]) => !takesBody || inQuery.has(name)));
  // Asked for a page, a list has one form, with the number of all.
  if (inQuery.has('page') && query['cursor'] === undefined) query['page'] ??= 1;
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

/** A request whose body has not been read: only path and query have. */
export interface UnreadRequest extends Omit<ApiRequest, 'body'> {
  body: Uint8Array;
}

/**
 * The same for arguments that have only been split: those of path and query are read, those of the body stay a text.
 * @throws Unprocessable also for many unknown arguments, by name; PayloadTooLarge for too much in path and query; BadRequest.
 */
export function unreadRequestOf<Services>(tool: ApiTool<Services>, given: JsonMembers): UnreadRequest {
  const { route } = tool;
  refuseUnknown(tool, given);
  const inBody = (name: string) =>
    route.body !== undefined && !idsIn(route.path).includes(name) && !tool.inQuery.has(name);
  const members = [...given.texts];
  const request = apiRequestOf(tool, readAddress(written(members.filter(([name]) => !inBody(name)))));
  const body = written(members.filter(([name]) => inBody(name)));
  return { ...request, body: route.body === undefined ? new Uint8Array() : Buffer.from(body) };
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

function readAddress(text: string): unknown {
  if (text.length > MAX_ADDRESS_CHARACTERS) {
    throw new PayloadTooLarge(
      `The arguments beside the body have more than ${MAX_ADDRESS_CHARACTERS} characters`,
    );
  }
  const { value, problems } = readJsonBody(
    { bytes: Buffer.from(text), contentType: undefined },
    MAX_ADDRESS_VALUES,
  );
  if (problems.length > 0) throw new Unprocessable(problems);
  return value;
}

function idsIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}
