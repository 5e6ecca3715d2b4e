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
    description: 'The key is missing, unknown, revoked or expired.',
    example: { message: 'A valid API key is required' },
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The role of the key does not allow this.',
    example: { message: 'Your role does not allow this' },
  },
  404: {
    name: 'NotFound',
    description: 'The item does not exist, or the key cannot access it.',
    example: { message: 'Story not found' },
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with stored data.',
    example: { message: 'The name is taken', details: 'name' },
  },
  412: {
    name: 'PreconditionFailed',
    description:
      'The item has changed since the version in `If-Match`, or the operation does not support it.',
    example: {
      message: 'The current version of the story is 8, which does not match "If-Match"',
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
    description: 'Validation failed; there is one entry for each problem.',
    example: { message: '"per_page" must be less than or equal to 500', details: 'per_page' },
  },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit of the key is exceeded.',
    example: { message: 'More than 5000 calls within a minute; try again in 20 s' },
    headers: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  },
  500: {
    name: 'InternalError',
    description: 'Server error; see the server log for the request id.',
    example: { message: 'Internal server error' },
  },
  503: {
    name: 'Unavailable',
    description: 'A required store is down. Nothing was changed.',
    example: { message: 'The database is temporarily unavailable; try again' },
    headers: ['Retry-After'],
  },
  504: {
    name: 'OutcomeUnknown',
    description: 'The database did not confirm the change, which may have been made.',
    example: { message: 'The database did not confirm whether this was stored: check before you try again' },
  },
};

const HEADERS: Record<string, { description: string; schema: JsonObject }> = {
  'X-Request-Id': {
    description: 'Request id; the id sent by the client, if valid.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests per minute allowed for the key.',
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
      description: 'One entry per problem',
      minItems: 1,
      items: {
        type: 'object',
        required: ['message'],
        additionalProperties: false,
        properties: {
          message: { type: 'string', description: 'Description of the problem' },
          details: { type: 'string', description: 'Path of the field: `filters[1].operator`' },
          entry: { type: 'string', description: 'Name of a draft conflict, for `resolve`' },
        },
      },
    },
  },
};
