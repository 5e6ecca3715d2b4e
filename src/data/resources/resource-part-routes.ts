import Joi from 'joi';
import { idParams, type IdParams } from '../../platform/http/address/path-id.js';
import { type AnyRoute, BareResponse, defineRoute, type Method } from '../../api/face.js';
import type { JsonValue } from '../../platform/json.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { append, type PartChange, type ResourcePlace, remove, replace } from './resource-parts.js';
import { RESOURCES } from './resource-routes.js';
import type { TeamResourceService } from './team-resource-service.js';

interface Services {
  resources: Pick<TeamResourceService, 'changePart' | 'checkPart'>;
}

const anyPart = Joi.any().required().description('Any JSON value');

const ABSENT = Joi.valid(null, '');
const testKeys = {
  is_test: Joi.boolean().empty(ABSENT).description('Whether to change the test value'),
};

const placeKeys = {
  index: Joi.number().integer().empty(ABSENT).description('For a list; negative counts from the end'),
  key: Joi.string().allow('').empty(null).description('For an object'),
  ...testKeys,
};

interface Part<Body> {
  path: 'append' | 'remove' | 'replace';
  summary: string;
  description: string;
  body: Joi.ObjectSchema<Body>;
  /** Names that clients send without effect; see `RouteDefinition`. */
  ignored?: readonly string[];
  /** `text` is the response where the value is a text. */
  example: { body: Body; response: unknown; text: string };
  /** Whether the usable parts of the body suffice to try the change. */
  isEnough(body: Usable<Body>): boolean;
  change(current: JsonValue, body: Body): PartChange;
}

function isPlace({ index, key }: Usable<ResourcePlace>): boolean {
  return index !== undefined || key !== undefined;
}

/** An endpoint that changes a part of the value. */
function partRoute<Body>(method: Method, part: Part<Body>): AnyRoute<Services> {
  return defineRoute<IdParams, unknown, Body & { is_test?: boolean }, Services>({
    method,
    path: `${RESOURCES}/:id/${part.path}`,
    summary: part.summary,
    params: idParams,
    body: part.body,
    ignored: ['resource_id', ...(part.ignored ?? [])],
    audit: `resource.${part.path}`,
    docs: {
      tag: 'Resources',
      description: `${part.description} Text values are returned as plain text, others as JSON. Concurrent changes are all applied.`,
      response: Joi.any(),
      bareText: part.example.text,
      example: { params: { id: 47 }, body: part.example.body, response: part.example.response },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params, body }, { resources }) => {
      const { is_test: isTest } = body as { is_test?: boolean };
      const change = (current: JsonValue) => part.change(current, body as Body);
      return resources.checkPart(actor, params.id, {
        ...(isTest !== undefined && { isTest }),
        ...(part.isEnough(body as Usable<Body>) && { change }),
      });
    },
    async handle({ actor, params, body }, { resources }) {
      const change = (current: JsonValue) => part.change(current, body);
      const isTest = body.is_test ?? false;
      return new BareResponse(await resources.changePart(actor, params.id, { isTest, change }));
    },
  });
}

const appendPart: Part<{ value: JsonValue }> = {
  path: 'append',
  summary: 'Append to a resource',
  description:
    'Appends text to text, one element or the elements of a list to a list, and keys to an object. Returns the new value.',
  body: Joi.object({ value: anyPart, ...testKeys }),
  ignored: ['index', 'key'],
  example: {
    body: { value: ['bad.example'] },
    response: ['evil.example', 'bad.example'],
    text: 'evil.example',
  },
  isEnough: ({ value }) => value !== undefined,
  change(current, { value: addition }) {
    const value = append(current, addition);
    return { value, response: value };
  },
};

/** Endpoints that change a part of a resource, in the form that real stories use (spec §3.8). */
export const resourcePartRoutes: AnyRoute<Services>[] = [
  partRoute('post', appendPart),
  partRoute('put', appendPart),

  partRoute<ResourcePlace>('post', {
    path: 'remove',
    summary: 'Remove a part of a resource',
    description:
      'Removes the element at `index` of a list, or the `key` of an object. Returns the removed part.',
    body: Joi.object<ResourcePlace>(placeKeys).xor('index', 'key'),
    example: { body: { index: 2 }, response: { domain: 'bad.example' }, text: 'bad.example' },
    isEnough: isPlace,
    change: (current, place) => remove(current, place),
  }),

  partRoute<ResourcePlace & { value: JsonValue; if_value?: JsonValue }>('post', {
    path: 'replace',
    summary: 'Replace a part of a resource',
    description:
      'Replaces the element at `index` of a list, or the value of `key` in an object. With `if_value`, only if the current value is equal to it, otherwise 422; null matches a missing key. Returns the new value.',
    body: Joi.object({
      ...placeKeys,
      value: anyPart,
      if_value: Joi.any().description('Expected current value'),
    }).xor('index', 'key'),
    example: { body: { index: 1, value: 5 }, response: 5, text: 'bad.example' },
    isEnough: (body) => isPlace(body) && body.value !== undefined,
    change: (current, { value: element, if_value: ifValue, ...place }) =>
      replace(current, place, { element, ifValue }),
  }),
];
