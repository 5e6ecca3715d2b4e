import type Joi from 'joi';
import type { JsonObject } from '../../platform/json.js';
import { IDEMPOTENCY_KEY, KEY_ERRORS, takesKey } from '../idempotency/idempotency.js';
import type { AnyRoute } from '../route.js';
import {
  BODY_ERRORS,
  COMMON_ERRORS,
  errorReferences,
  headerReferences,
  SUCCESS_HEADERS,
  WRITE_ERRORS,
} from './error-responses.js';
import type { Components } from './components.js';
import { jsonSchemaOf } from './json-schema.js';
import { illustrate, describeField } from './pages/illustrate.js';
import type { Content, DescribedResponse, Operation, Parameter, ResponseContent } from './openapi-types.js';
import { capital, operationIdOf } from './operation-id.js';

/** Converts an Express path to an OpenAPI path: `/api/v1/stories/{id}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1');
}

/** Returns the operation of one route; its schemas are added to `components`. */
export function operationOf(route: AnyRoute<never>, components: Components): Operation {
  const { docs } = route;
  const body = docs?.body ?? route.body;
  const operationId = operationIdOf(route);
  const describe: Describe = (part, schema, example) => {
    const json = components.refer(schema, capital(operationId) + part);
    illustrate(json, example, components.schemas);
    return describeContent(json, example);
  };
  const status = route.status ?? 200;
  const errors = [
    ...COMMON_ERRORS,
    ...(docs?.errors ?? []),
    ...(route.method === 'get' ? [] : WRITE_ERRORS),
    ...(body === undefined ? [] : BODY_ERRORS),
    ...(takesKey(route) ? KEY_ERRORS : []),
  ];
  return {
    operationId,
    summary: route.summary,
    ...descriptionOf(route),
    tags: [docs?.tag ?? 'Other'],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body !== undefined && { requestBody: requestBody(body, docs?.example.body, describe) }),
    responses: { [status]: success(route, status, describe), ...errorReferences(errors) },
  };
}

function pathParameters({ path, params, docs }: AnyRoute<never>): Parameter[] {
  const schemas = propertiesOf(params);
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    ...parameter(name, schemas[name] ?? { type: 'string' }, docs?.example.params?.[name]),
    in: 'path',
    required: true,
  }));
}

function queryParameters({ query, docs }: AnyRoute<never>): Parameter[] {
  const { required } = query === undefined ? {} : jsonSchemaOf(query);
  return Object.entries(propertiesOf(query)).map(([name, schema]) => ({
    ...parameter(name, schema, docs?.example.query?.[name]),
    ...listStyle(schema),
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
  }));
}

/** Every write by POST may be sent again with the same key (spec §1.10). Some writes compare a version (spec §1.11). */
function headerParameters(route: AnyRoute<never>): Parameter[] {
  const key = {
    name: IDEMPOTENCY_KEY,
    description: 'Identifies the request: if repeated within 24 hours, it takes effect only once.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  const ifMatch = {
    name: 'If-Match',
    description: 'Expected version of the story: `"7"`, a list of versions, or `*` for any.',
    schema: { type: 'string' },
  };
  const taken = [...(takesKey(route) ? [key] : []), ...(route.honoursIfMatch === true ? [ifMatch] : [])];
  return taken.map((header) => ({ ...header, in: 'header', required: false }));
}

function parameter(name: string, schema: JsonObject, example: unknown) {
  describeField(schema, name);
  const { description, ...rest } = schema;
  return {
    name,
    schema: rest,
    ...(typeof description === 'string' && { description }),
    ...(example !== undefined && { example }),
  };
}

/** Lists repeat their name. OpenAPI has no style for lists of objects, which are written `filters[0][field_id]=…`. */
function listStyle({ type }: JsonObject): Pick<Parameter, 'style' | 'explode'> {
  return type === 'array' ? { style: 'form', explode: true } : {};
}

function propertiesOf(schema: Joi.Schema | undefined): Record<string, JsonObject> {
  const { properties } = schema === undefined ? {} : jsonSchemaOf(schema);
  return (properties ?? {}) as Record<string, JsonObject>;
}

/** Returns the content of a body (`Body`) or a response (`Response`), described by a schema and an example. */
type Describe = (part: 'Body' | 'Response', schema: Joi.Schema, example: unknown) => Content;

function describeContent(schema: JsonObject, example: unknown): Content {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

function requestBody(schema: Joi.Schema, example: unknown, describe: Describe) {
  const { required } = jsonSchemaOf(schema);
  return { required: required !== undefined, content: describe('Body', schema, example) };
}

function success({ docs, summary }: AnyRoute<never>, status: number, describe: Describe): DescribedResponse {
  const headers = headerReferences(SUCCESS_HEADERS);
  if (status === 204) return { description: 'Success; no body.', headers };
  const schema = docs?.response;
  const content =
    schema === undefined
      ? describeContent({}, undefined)
      : describe('Response', schema, docs?.example.response);
  const type = docs?.contentType ?? 'application/json';
  const json = { [type]: content['application/json'] };
  return { description: summary, headers, content: { ...json, ...bareContent(docs?.bareText) } };
}

/** The content of a route that answers a text bare. */
function bareContent(example: string | undefined): ResponseContent {
  return example === undefined ? {} : { 'text/plain': { schema: { type: 'string' }, example } };
}

/** The description of a route, with the names that it knows and does not use. */
function descriptionOf({ docs, ignored = [], unsupported = {} }: AnyRoute<never>): {
  description: string;
} {
  const refused = Object.entries(unsupported).map(([name, reason]) => `\`${name}\` (${reason})`);
  const parts = [
    docs?.description ?? '',
    ignored.length === 0
      ? ''
      : `Accepted without effect: ${ignored.map((name) => `\`${name}\``).join(', ')}.`,
    refused.length === 0 ? '' : `Not supported; rejected unless empty: ${refused.join(', ')}.`,
  ].filter((part) => part !== '');
  return { description: parts.join('\n\n') };
}
