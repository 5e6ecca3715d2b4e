import Joi from 'joi';
import { idParams, type IdParams } from '../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../api/route.js';
import type { JsonValue } from '../platform/json.js';
import type { Usable } from '../platform/validation/partial-input.js';
import {
  presentResource,
  resourceResponse,
  resourceExample,
  RESOURCES,
  testKeys,
} from './resource-routes.js';
import { append, type Place, remove, replace } from './resource-value.js';
import type { TeamResourceService } from './team-resource-service.js';

interface Services {
  resources: Pick<TeamResourceService, 'update' | 'checkValue'>;
}

const anyValue = Joi.any().required().description('Any JSON value');

const placeKeys = {
  index: Joi.number().integer().description('For a list; negative counts from the end'),
  key: Joi.string().allow('').description('For an object'),
  ...testKeys,
};

interface Part<Body> {
  path: 'append' | 'remove' | 'replace';
  summary: string;
  description: string;
  body: Joi.ObjectSchema<Body>;
  example: Body;
  /** Whether the usable parts of the body suffice to try the change. */
  isEnough(body: Usable<Body>): boolean;
  change(current: JsonValue, body: Body): JsonValue;
}

function isPlace({ index, key }: Usable<Place>): boolean {
  return index !== undefined || key !== undefined;
}

/** An endpoint that changes a part of the value. */
function partRoute<Body>(part: Part<Body>): AnyRoute<Services> {
  return defineRoute<IdParams, unknown, Body, Services>({
    method: 'post',
    path: `${RESOURCES}/:id/${part.path}`,
    summary: part.summary,
    params: idParams,
    body: part.body,
    audit: `resource.${part.path}`,
    docs: {
      tag: 'Resources',
      description: `${part.description} Returns the whole resource. Concurrent changes all take effect.`,
      response: resourceResponse,
      example: { params: { id: 47 }, body: part.example, response: resourceExample },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params, body }, { resources }) =>
      resources.checkValue(actor, params.id, (current) =>
        part.isEnough(body) ? part.change(current, body as Body) : undefined,
      ),
    async handle({ actor, params, body }, { resources }) {
      const value = (current: JsonValue) => part.change(current, body);
      return presentResource(await resources.update(actor, params.id, { value }));
    },
  });
}

/** Endpoints that change a part of a resource, in the form that real stories use (spec §3.8). */
export const resourcePartRoutes: AnyRoute<Services>[] = [
  partRoute<{ value: JsonValue }>({
    path: 'append',
    summary: 'Append to a resource',
    description:
      'Text is appended to a text; one element, or the elements of a list, to a list; keys are added to an object.',
    body: Joi.object({ value: anyValue, ...testKeys }),
    example: { value: ['bad.example'] },
    isEnough: ({ value }) => value !== undefined,
    change: (current, { value }) => append(current, value),
  }),

  partRoute<Place>({
    path: 'remove',
    summary: 'Remove a part of a resource',
    description: 'The element at `index` of a list, or the `key` of an object.',
    body: Joi.object<Place>(placeKeys).xor('index', 'key'),
    example: { index: 2 },
    isEnough: isPlace,
    change: (current, place) => remove(current, place),
  }),

  partRoute<Place & { value: JsonValue }>({
    path: 'replace',
    summary: 'Replace a part of a resource',
    description: 'The element at `index` of a list, or the value under `key` of an object.',
    body: Joi.object<Place & { value: JsonValue }>({ ...placeKeys, value: anyValue }).xor('index', 'key'),
    example: { index: 1, value: 'bad.example' },
    isEnough: (body) => isPlace(body) && body.value !== undefined,
    change: (current, { value, ...place }) => replace(current, place, value),
  }),
];
