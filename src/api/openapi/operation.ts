import type Joi from 'joi';
import { isJsonObject, type JsonObject } from '../../platform/json.js';
import type { AnyRoute } from '../route.js';
import {
  BODY_ERRORS,
  COMMON_ERRORS,
  errorReferences,
  headerReferences,
  SUCCESS_HEADERS,
} from './error-responses.js';
import { jsonSchemaOf } from './json-schema.js';
import type { DescribedResponse, Operation, Parameter } from './openapi-types.js';

/** Converts an Express path to an OpenAPI path: `/api/v1/stories/{id}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1');
}

/** Returns the operation of one route. */
export function operationOf(route: AnyRoute<never>): Operation {
  const { docs, body } = route;
  const status = route.status ?? 200;
  const errors = [...COMMON_ERRORS, ...(docs?.errors ?? []), ...(body === undefined ? [] : BODY_ERRORS)];
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(docs?.description !== undefined && { description: docs.description }),
    tags: [docs?.tag ?? 'Other'],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(body !== undefined && { requestBody: requestBody(body, docs?.example.body) }),
    responses: { [status]: success(route, status), ...errorReferences(errors) },
  };
}

/** Returns `getV1StoriesByIdExport` for `get /api/v1/stories/:id/export`. */
function operationId({ method, path }: AnyRoute<never>): string {
  const words = path
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .flatMap((part) =>
      part.startsWith(':') ? ['by', ...part.slice(1).split('_')] : part.split(/[^A-Za-z0-9]/),
    )
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method + words.join('');
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

function parameter(name: string, schema: JsonObject, example: unknown) {
  const { description, ...rest } = schema;
  return {
    name,
    schema: rest,
    ...(typeof description === 'string' && { description }),
    ...(example !== undefined && { example }),
  };
}

/** Lists repeat their name; lists of objects are written `filters[0][field_id]=…`. */
function listStyle({ type, items }: JsonObject): Pick<Parameter, 'style' | 'explode'> {
  if (type !== 'array') return {};
  const ofObjects = isJsonObject(items) && items['type'] === 'object';
  return { style: ofObjects ? 'deepObject' : 'form', explode: true };
}

function propertiesOf(schema: Joi.Schema | undefined): Record<string, JsonObject> {
  const { properties } = schema === undefined ? {} : jsonSchemaOf(schema);
  return (properties ?? {}) as Record<string, JsonObject>;
}

function requestBody(schema: Joi.Schema, example: unknown): NonNullable<Operation['requestBody']> {
  const json = jsonSchemaOf(schema);
  const content = { schema: json, ...(example !== undefined && { example }) };
  return { required: json['required'] !== undefined, content: { 'application/json': content } };
}

function success({ docs, summary }: AnyRoute<never>, status: number): DescribedResponse {
  const headers = headerReferences(SUCCESS_HEADERS);
  if (status === 204) return { description: 'Done; no body.', headers };
  const schema = docs?.response === undefined ? {} : jsonSchemaOf(docs.response);
  const example = docs?.example.response;
  const content = { schema, ...(example !== undefined && { example }) };
  return { description: summary, headers, content: { 'application/json': content } };
}
