import type { JsonObject } from '../../platform/json.js';
import type { SchemaReference } from './openapi-types.js';

interface ErrorResponse {
  name: string;
  description: string;
  example: { message: string; details?: string };
  headers?: string[];
}

/** Every error status of the API (spec §1.2), with an example. */
const ERRORS: Record<number, ErrorResponse> = {
  400: {
    name: 'BadRequest',
    description: 'The body is not JSON, or not UTF-8.',
    example: { message: 'The body is not valid JSON: Unexpected end of JSON input' },
  },
  401: {
    name: 'Unauthorized',
    description: 'No key, or one that is unknown, revoked or expired.',
    example: { message: 'A valid API key is required' },
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The key may see the item, but its role does not allow this.',
    example: { message: 'Your role does not allow this' },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such item, or the key may not see it.',
    example: { message: 'Story not found' },
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with what is stored.',
    example: { message: 'The name is taken', details: 'name' },
  },
  412: {
    name: 'PreconditionFailed',
    description:
      'The item has been changed since the version that `If-Match` names, or the operation compares none.',
    example: {
      message: 'The story has version 8 by now, which "If-Match" does not name',
      details: 'If-Match',
    },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than the server accepts.',
    example: { message: 'The body is larger than this server accepts' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type of the body is not JSON.',
    example: { message: 'The body must be JSON, with content-type application/json' },
  },
  422: {
    name: 'Unprocessable',
    description: 'A rule is broken; there is one entry for each problem.',
    example: { message: '"per_page" must be less than or equal to 500', details: 'per_page' },
  },
  429: {
    name: 'TooManyRequests',
    description: 'Over the key’s rate limit.',
    example: { message: 'More than 5000 calls within a minute; try again in 20 s' },
    headers: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  },
  500: {
    name: 'InternalError',
    description: 'An error of the server; its log has the details under the request id.',
    example: { message: 'Internal server error' },
  },
  503: {
    name: 'Unavailable',
    description: 'A store the server needs is down. Nothing was changed.',
    example: { message: 'The database cannot serve this now; try again' },
    headers: ['Retry-After'],
  },
  504: {
    name: 'OutcomeUnknown',
    description: 'The database did not respond to COMMIT: the change may have been made.',
    example: { message: 'The database did not say whether this was stored: look before you try again' },
  },
};

const HEADERS: Record<string, { description: string; schema: JsonObject }> = {
  'X-Request-Id': {
    description: 'The id of the request: the client’s own, if it sent a valid one.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests a minute that the key may make.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in this window.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, in seconds since the epoch.',
    schema: { type: 'integer' },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
};

/** Headers of every successful response. Those of disabled limits are absent. */
export const SUCCESS_HEADERS = [
  'X-Request-Id',
  ...Object.keys(HEADERS).filter((name) => name.startsWith('X-Rate')),
];

/** Errors of any request. */
export const COMMON_ERRORS = [401, 422, 429, 500, 503];
/** Additional errors of any request that changes something. */
export const WRITE_ERRORS = [412, 504];
/** Additional errors of any request with a body. */
export const BODY_ERRORS = [400, 413, 415];

/** Returns references to the error responses, by status. @throws Error for a status the API does not have. */
export function errorReferences(statuses: Iterable<number>): Record<string, SchemaReference> {
  const sorted = [...new Set(statuses)].toSorted((a, b) => a - b);
  return Object.fromEntries(
    sorted.map((status) => {
      const error = ERRORS[status];
      if (error === undefined) throw new Error(`The API has no error ${status}`);
      return [String(status), { $ref: `#/components/responses/${error.name}` }];
    }),
  );
}

/** Returns references to headers by their names. */
export function headerReferences(names: readonly string[]): Record<string, SchemaReference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the components for errors and headers. */
export function errorComponents() {
  return {
    headers: HEADERS,
    responses: Object.fromEntries(
      Object.values(ERRORS).map(({ name, description, example, headers = [] }) => [
        name,
        {
          description,
          headers: headerReferences(['X-Request-Id', ...headers]),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Errors' },
              example: { errors: [example] },
            },
          },
        },
      ]),
    ),
    schemas: { Errors: ERRORS_SCHEMA },
  };
}

const ERRORS_SCHEMA = {
  type: 'object',
  description: 'One entry for each problem found.',
  required: ['errors'],
  additionalProperties: false,
  properties: {
    errors: {
      type: 'array',
      description: 'Each problem',
      minItems: 1,
      items: {
        type: 'object',
        required: ['message'],
        additionalProperties: false,
        properties: {
          message: { type: 'string', description: 'The problem, in words' },
          details: { type: 'string', description: 'Path of the field: `filters[1].operator`' },
          entry: { type: 'string', description: 'Name of a conflict of a draft, for `resolve`' },
        },
      },
    },
  },
};
