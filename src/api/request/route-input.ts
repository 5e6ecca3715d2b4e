import Joi from 'joi';
import { NotFound, type Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject } from '../../platform/json.js';
import { check } from '../../platform/validation/validate.js';
import { inspect } from '../../platform/validation/partial-input.js';
import { takeStrangers, withoutEmptyStrangers } from '../../platform/validation/strangers.js';
import { writeQueryString } from '../../platform/http/address/query-string.js';
import type { Method } from '../route.js';
import { thingAt } from './thing-at.js';
import { type KnownNames, takeKnownNames } from './known-names.js';

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
