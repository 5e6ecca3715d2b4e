import Joi from 'joi';
import { component } from '../api/openapi/component.js';
import { crudRoutes, placesOf } from '../api/crud-routes.js';
import { responseSchema, idSchema, timeSchema } from '../api/response-schema.js';
import { pageKeys, type PageQuery } from '../api/page-meta.js';
import { idField } from '../platform/http/path-id.js';
import { type AnyRoute } from '../api/route.js';
import type { JsonValue } from '../platform/json.js';
import { nameField } from '../access/tenants/name-field.js';
import { timestamp } from '../platform/text/timestamp.js';
import type { ResourceRecord } from './resource-store.js';
import { asType, typeOf, type ValueType } from './resource-value.js';
import type { NewResource, ResourceChange, TeamResourceService } from './team-resource-service.js';
import { jsonObject } from '../platform/validation/json-object.js';

interface Services {
  resources: TeamResourceService;
}

type ListQuery = PageQuery & { team_id?: number };

interface ResourceBody {
  name?: string;
  value?: JsonValue;
  value_type?: ValueType | 'json';
  team_id?: number;
  folder_id?: number | null;
  description?: string | null;
}

export const RESOURCES = '/api/v1/global_resources';

const valueField = Joi.alternatives(Joi.string().allow(''), Joi.array(), jsonObject())
  .messages({ 'alternatives.types': '{{#label}} must be a text, a list or an object' })
  .description('A text, a list or an object');
/** Real stories send this key; a resource has no second value for tests. */
export const testKeys = { is_test: Joi.boolean().valid(false) };

const resourceKeys = {
  name: nameField,
  value: valueField,
  value_type: Joi.string()
    .valid('text', 'array', 'object', 'json')
    .description('The type of `value`, optional; `json` is a list or an object'),
  team_id: idField,
  folder_id: idField.allow(null),
  description: Joi.string().allow('', null).max(10_000),
  read_access: Joi.string().valid('TEAM').description('Only the team of a resource can use it'),
  shared_team_slugs: Joi.array().max(0),
  test_resource_enabled: Joi.boolean().valid(false),
  ...testKeys,
};

/** A resource in a response. */
export const resourceResponse = component(
  'Resource',
  responseSchema({
    id: idSchema,
    name: Joi.string(),
    slug: Joi.string().allow('').description('The name that templates may use besides `name`'),
    value: valueField,
    value_type: Joi.string().valid('text', 'array', 'object').description('The type of `value`'),
    team_id: idSchema,
    folder_id: idSchema.allow(null),
    description: Joi.string().allow(''),
    read_access: Joi.string().valid('TEAM').description('Only the team of a resource can use it'),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);

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

/** A resource as the API returns it. */
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

const routes = crudRoutes<Services, ResourceRecord>({
  tag: 'Resources',
  ...placesOf(RESOURCES, resourceExample.id),
  response: resourceResponse,
  example: resourceExample,
  present: presentResource,
});

/** Endpoints of resources (spec §3.8); those of their parts are in resource-part-routes. */
export const resourceRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List resources',
    plural: 'global_resources',
    query: Joi.object<ListQuery>({ ...pageKeys, team_id: idField }),
    exampleQuery: { team_id: 2 },
    handle: ({ actor, query, window }, { resources }) => resources.list(actor, query.team_id, window),
  }),

  routes.create<NewResource>({
    summary: 'Create a resource',
    description: 'Without `team_id`: in the team of the key, else in the user’s first one.',
    body: Joi.object({ ...resourceKeys, name: nameField.required(), value: valueField.required() }),
    exampleBody: { name: 'Blocked domains', value: ['evil.example', 'bad.example'], team_id: 2 },
    errors: [400, 403, 404, 409, 413, 415, 422],
    audit: 'resource.create',
    check: ({ actor, body }, { resources }) => resources.checkCreate(actor, body),
    handle: ({ actor, body }, { resources }) => resources.create(actor, body),
  }),

  routes.get({
    summary: 'Get a resource',
    handle: ({ actor, params }, { resources }) => resources.get(actor, params.id),
  }),

  ...routes.update<ResourceBody>({
    summary: 'Update a resource',
    description: 'Changes the given fields; stories use the new value within five seconds.',
    body: Joi.object<ResourceBody>(resourceKeys),
    exampleBody: { value: ['evil.example', 'bad.example'] },
    errors: [400, 403, 404, 409, 413, 415, 422],
    audit: 'resource.update',
    check: ({ actor, params, body }, { resources }) => resources.checkUpdate(actor, params.id, body),
    handle: ({ actor, params, body }, { resources }) => resources.update(actor, params.id, changeOf(body)),
  }),

  routes.delete({
    summary: 'Delete a resource',
    audit: 'resource.delete',
    handle: ({ actor, params }, { resources }) => resources.delete(actor, params.id),
  }),
];
