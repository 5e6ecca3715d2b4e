import Joi from 'joi';
import { answerSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../api/answer-schema.js';
import { pageKeys, pageMeta, type PageQuery, windowOf } from '../api/page-meta.js';
import { idField, idParams, type IdParams } from '../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../api/route.js';
import type { JsonValue } from '../platform/json.js';
import { nameField } from '../access/tenants/name-field.js';
import { timestamp } from '../platform/text/timestamp.js';
import type { ResourceRecord } from './resource-store.js';
import { asType, typeOf, type ValueType } from './resource-value.js';
import type { ResourceChange, TeamResourceService } from './team-resource-service.js';

interface Services {
  resources: TeamResourceService;
}

type ListQuery = PageQuery & { team_id?: number };

interface ResourceBody {
  name?: string;
  value?: JsonValue;
  value_type?: ValueType;
  team_id?: number;
  folder_id?: number | null;
  description?: string | null;
}

export const RESOURCES = '/api/v1/global_resources';

const valueField = Joi.alternatives(Joi.string().allow(''), Joi.array(), Joi.object().unknown(true))
  .messages({ 'alternatives.types': '{{#label}} must be a text, a list or an object' })
  .description('A text, a list or an object');
/** Real stories send it; a resource has no second value for tests. */
export const testKeys = { is_test: Joi.boolean().valid(false) };

const resourceKeys = {
  name: nameField,
  value: valueField,
  value_type: Joi.string()
    .valid('text', 'array', 'object', 'json')
    .custom((type: string) => (type === 'json' ? 'object' : type))
    .description('What `value` is; not needed'),
  team_id: idField,
  folder_id: idField.allow(null),
  description: Joi.string().allow('', null).max(10_000),
  read_access: Joi.string().valid('TEAM').description('Resources are for their team alone'),
  shared_team_slugs: Joi.array().max(0),
  test_resource_enabled: Joi.boolean().valid(false),
  ...testKeys,
};

/** A resource in an answer. */
export const resourceAnswer = answerSchema({
  id: idSchema,
  name: Joi.string(),
  slug: Joi.string().allow('').description('What templates may call it besides its name'),
  value: valueField,
  value_type: Joi.string().valid('text', 'array', 'object'),
  team_id: idSchema,
  folder_id: idSchema.allow(null),
  description: Joi.string().allow(''),
  read_access: Joi.string().valid('TEAM'),
  created_at: timeSchema,
  updated_at: timeSchema,
});

/** For the documentation. */
export const resourceExample = {
  id: 47,
  name: 'Blocked domains',
  slug: 'blocked_domains',
  value: ['evil.example', 'bad.example'],
  value_type: 'array',
  team_id: 2,
  folder_id: null,
  description: '',
  read_access: 'TEAM',
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** A resource as the API shows it. */
export function presentResource(resource: ResourceRecord) {
  return {
    id: resource.id,
    name: resource.name,
    slug: resource.slug,
    value: resource.value,
    value_type: typeOf(resource.value),
    team_id: resource.teamId,
    folder_id: resource.folderId,
    description: resource.description ?? '',
    read_access: 'TEAM',
    created_at: timestamp(resource.createdAt),
    updated_at: timestamp(resource.updatedAt),
  };
}

function changeOf({ value, value_type: type, ...body }: ResourceBody): ResourceChange {
  return {
    name: body.name,
    teamId: body.team_id,
    folderId: body.folder_id,
    description: body.description,
    value: value === undefined ? undefined : () => asType(value, type),
  };
}

/** Endpoints of resources (spec §3.8); those of their parts are in resource-part-routes. */
export const resourceRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: RESOURCES,
    summary: 'List resources',
    query: Joi.object<ListQuery>({ ...pageKeys, team_id: idField }),
    docs: {
      tag: 'Resources',
      response: listSchema('global_resources', resourceAnswer),
      example: {
        query: { team_id: 2 },
        response: { global_resources: [resourceExample], meta: exampleMeta(RESOURCES) },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { resources }) {
      const { items, total } = await resources.list(actor, query.team_id, windowOf(query));
      return { global_resources: items.map(presentResource), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<unknown, unknown, ResourceBody & { name: string; value: JsonValue }, Services>({
    method: 'post',
    path: RESOURCES,
    summary: 'Make a resource',
    status: 201,
    body: Joi.object({ ...resourceKeys, name: nameField.required(), value: valueField.required() }),
    audit: 'resource.create',
    docs: {
      tag: 'Resources',
      description: 'Without `team_id`: in the team of the key, else in the user’s first one.',
      response: resourceAnswer,
      example: {
        body: { name: 'Blocked domains', value: ['evil.example', 'bad.example'], team_id: 2 },
        response: resourceExample,
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, body }, { resources }) => resources.checkCreate(actor, body),
    async handle({ actor, body }, { resources }) {
      const { value_type: valueType, team_id: teamId, folder_id: folderId, name, value, description } = body;
      const resource = { name, value, valueType, teamId, folderId, description };
      return presentResource(await resources.create(actor, resource));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: `${RESOURCES}/:id`,
    summary: 'Get a resource',
    params: idParams,
    docs: {
      tag: 'Resources',
      response: resourceAnswer,
      example: { params: { id: 47 }, response: resourceExample },
      errors: [404],
    },
    async handle({ actor, params }, { resources }) {
      return presentResource(await resources.get(actor, params.id));
    },
  }),

  ...(['put', 'patch'] as const).map((method) =>
    defineRoute<IdParams, unknown, ResourceBody, Services>({
      method,
      path: `${RESOURCES}/:id`,
      summary: 'Update a resource',
      params: idParams,
      body: Joi.object<ResourceBody>(resourceKeys),
      audit: 'resource.update',
      docs: {
        tag: 'Resources',
        description: 'Changes what is given; stories use the new value within five seconds.',
        response: resourceAnswer,
        example: {
          params: { id: 47 },
          body: { value: ['evil.example', 'bad.example'] },
          response: resourceExample,
        },
        errors: [400, 403, 404, 409, 413, 415, 422],
      },
      check: ({ actor, params, body }, { resources }) => resources.checkUpdate(actor, params.id, body),
      async handle({ actor, params, body }, { resources }) {
        return presentResource(await resources.update(actor, params.id, changeOf(body)));
      },
    }),
  ),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'delete',
    path: `${RESOURCES}/:id`,
    summary: 'Delete a resource',
    status: 204,
    params: idParams,
    audit: 'resource.delete',
    docs: { tag: 'Resources', example: { params: { id: 47 } }, errors: [403, 404] },
    handle: ({ actor, params }, { resources }) => resources.delete(actor, params.id),
  }),
];
