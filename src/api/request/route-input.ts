import Joi from 'joi';
import { NotFound, type Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject } from '../../platform/json.js';
import { check } from '../../platform/validation/validate.js';
import { inspect } from '../../platform/validation/partial-input.js';
import { isEmptyInput, takeStrangers, withoutEmptyStrangers } from '../../platform/validation/strangers.js';
import { writeQueryString } from '../../platform/http/address/query-string.js';
import type { Method } from '../route.js';

/** Names of a collection's items in responses, if they differ from the name in the path. */
const THING_NAMES: Readonly<Record<string, string>> = {
  agents: 'Action',
  annotations: 'Note',
  api_keys: 'API key',
  global_resources: 'Resource',
  logs: 'Log line',
  runs: 'Story run',
  user_credentials: 'Credential',
};

/** The names beside its schemas that a route knows; see `RouteDefinition`. */
interface KnownNames {
  ignored?: readonly string[] | undefined;
  unsupported?: Readonly<Record<string, string>> | undefined;
}

/** Schema of a route without parameters: it refuses any key by name. */
const NOTHING = Joi.object({});

/** The input part of a route of any type. */
export interface InputSchemas extends KnownNames {
  method: Method;
  /** The path as it is declared: `/api/v1/stories/:id`. */
  path: string;
  params?: Joi.ObjectSchema;
  query?: Joi.ObjectSchema;
  body?: Joi.ObjectSchema;
}

export interface RawInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Undefined if the request has no body. */
  body: unknown;
}

/** A request's values converted by joi; if there are problems, only the valid parts. */
export interface CheckedInput extends RawInput {
  problems: Problem[];
}

/**
 * Checks a request against the schemas of its route.
 * @throws NotFound if the path has a value that cannot be an id.
 */
export function checkInput(route: InputSchemas, raw: RawInput): CheckedInput {
  const params = checkedParams(route, raw);
  const known = takeKnownNames(route, mergeQueryBody(route, raw));
  const query = inspectPart(querySchemaOf(route), known.query, { dropsEmpty: false });
  const body = inspectPart(route.body, known.body ?? {}, { dropsEmpty: true });
  const problems = [...known.problems, ...query.problems, ...body.problems];
  return { params, query: query.usable, body: body.usable, problems };
}

/** @throws NotFound with the name of the thing that the path cannot name. */
function checkedParams({ params: schema, path }: InputSchemas, { params }: RawInput): RawInput['params'] {
  if (schema === undefined) return params;
  const { value, problems } = check<RawInput['params']>(schema, params);
  if (value === undefined) throw new NotFound(thingAt(path, problems[0]?.details ?? ''));
  return value;
}

const readSchemas = new WeakMap<Joi.ObjectSchema, Joi.ObjectSchema>();

/** Parameters of a read may be null or empty, which means absent: public clients send `draft_id=` and `page: null`. */
function querySchemaOf({ method, query }: InputSchemas): Joi.ObjectSchema | undefined {
  if (query === undefined || method !== 'get') return query;
  const known = readSchemas.get(query);
  if (known !== undefined) return known;
  const names = Object.keys((query.describe() as { keys?: object }).keys ?? {});
  const made = query.fork(names, (schema) => schema.empty(Joi.valid(null, '')));
  readSchemas.set(query, made);
  return made;
}

/** Skips joi if the route has no schema and the request no values, as for most reads. */
function inspectPart(
  schema: Joi.ObjectSchema | undefined,
  given: unknown,
  { dropsEmpty }: { dropsEmpty: boolean },
) {
  if (schema === undefined && isJsonObject(given) && Object.keys(given).length === 0) {
    return { usable: {}, problems: [] };
  }
  const own = schema ?? NOTHING;
  const { rest, problems } = takeStrangers(own, dropsEmpty ? withoutEmptyStrangers(own, given) : given);
  const inspected = inspect(own, rest);
  return { usable: inspected.usable, problems: [...inspected.problems, ...problems] };
}

/**
 * A JSON object in the body of a GET extends the query (spec §1.5). If both name a parameter, the address has
 * precedence: a client that follows `next_page` may send its old body again.
 * The query of a write extends its body, which has precedence, unless the route has a query of its own.
 */
function mergeQueryBody(route: InputSchemas, raw: RawInput): Pick<RawInput, 'query' | 'body'> {
  if (isMoreQuery(route, raw.body)) return { query: { ...raw.body, ...raw.query }, body: undefined };
  if (!isMoreBody(route, raw)) return raw;
  return { query: {}, body: { ...raw.query, ...(raw.body as JsonObject | undefined) } };
}

function isMoreBody(route: InputSchemas, { query, body }: Pick<RawInput, 'query' | 'body'>): boolean {
  if (route.body === undefined || route.query !== undefined || Object.keys(query).length === 0) return false;
  return body === undefined || isJsonObject(body);
}

function isMoreQuery(route: InputSchemas, body: unknown): body is JsonObject {
  return route.method === 'get' && route.query !== undefined && isJsonObject(body);
}

/**
 * Returns `originalUrl` with the parameters from the body of a GET, so that addresses of pages, which are built from
 * it, keep them (spec §1.7).
 */
export function fullAddress(
  route: InputSchemas,
  originalUrl: string,
  { query, body }: Pick<RawInput, 'query' | 'body'>,
): string {
  if (!isMoreQuery(route, body)) return originalUrl;
  const missing = Object.entries(body).filter(([name]) => !Object.hasOwn(query, name));
  const more = writeQueryString(Object.fromEntries(missing));
  if (more === '') return originalUrl;
  return `${originalUrl}${originalUrl.includes('?') ? '&' : '?'}${more}`;
}

interface Given {
  query: Record<string, unknown>;
  /** Undefined if the request has no body. */
  body: unknown;
}

/** Returns query and body without the known names, and a problem for each one that asks for what Fabula lacks. */
function takeKnownNames(
  { ignored = [], unsupported = {} }: KnownNames,
  { query, body }: Given,
): Given & { problems: Problem[] } {
  const names = new Set([...ignored, ...Object.keys(unsupported)]);
  if (names.size === 0) return { query, body, problems: [] };
  const parts = [query, ...(isJsonObject(body) ? [body] : [])];
  const problems = Object.entries(unsupported).flatMap(([name, reason]): Problem[] =>
    parts.some((part) => Object.hasOwn(part, name) && !asksForNothing(part[name]))
      ? [{ message: `"${name}" is not supported here: ${reason}`, details: name }]
      : [],
  );
  return {
    query: withoutNames(query, names),
    body: isJsonObject(body) ? withoutNames(body, names) : body,
    problems,
  };
}

function asksForNothing(value: unknown): boolean {
  return isEmptyInput(value) || /^false$/i.test(String(value));
}

function withoutNames<Part extends Record<string, unknown>>(part: Part, names: ReadonlySet<string>): Part {
  if (!Object.keys(part).some((name) => names.has(name))) return part;
  return Object.fromEntries(Object.entries(part).filter(([name]) => !names.has(name))) as Part;
}

/** Returns what a parameter of a path names: `Story run` for `guid` of `/api/v1/stories/:id/runs/:guid`. */
function thingAt(path: string, parameter: string): string {
  const parts = path.split('/');
  const collection = parts[parts.indexOf(`:${parameter}`) - 1] ?? '';
  return THING_NAMES[collection] ?? capital(singular(collection).replaceAll('_', ' '));
}

function singular(collection: string): string {
  return collection.endsWith('ies') ? collection.replace(/ies$/, 'y') : collection.replace(/s$/, '');
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
