import Joi from 'joi';
import { nameField, sharingKeys } from '../../people/face.js';
import { type AnyRoute, crudRoutes, pageKeys, type PageQuery, placesOf } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import type { NewResource, ResourceBody } from './resource-plan.js';
import {
  presentResource,
  resourceExample,
  resourceResponse,
  type ResourceView,
} from './resource-presenter.js';
import { VALUE_TYPES } from './resource-value.js';
import type { TeamResourceService } from './team-resource-service.js';

interface Services {
  resources: TeamResourceService;
}

/** How a resource is to be shown. */
interface ShownQuery {
  typed_value?: boolean;
  include_referencing_action_ids?: boolean;
}

type ListQuery = PageQuery &
  ShownQuery & { team_id?: number; folder_id?: number; search?: string; filter?: 'UNUSED_IN_ACTIONS' };

export const RESOURCES = '/api/v1/global_resources';

const ABSENT = Joi.valid(null, '');
const flagField = Joi.boolean().empty(ABSENT);

const shownKeys = {
  typed_value: flagField.description('Whether values are returned as JSON instead of text'),
  include_referencing_action_ids: flagField.description('Whether to return `referencing_action_ids`'),
};

/** Any value but null. */
const anyValue = Joi.any().empty(null).description('A text, number, boolean, list or object');

const resourceKeys = {
  name: nameField.empty(ABSENT),
  value: anyValue,
  value_type: Joi.string()
    .valid(...VALUE_TYPES, 'json')
    .empty(ABSENT)
    .description('The type of `value`. By default, text containing a JSON list or object is stored as such'),
  team_id: idField.empty(ABSENT),
  folder_id: idField.allow(null).empty(''),
  description: Joi.string().allow('', null).max(10_000),
  ...sharingKeys,
  test_resource_enabled: flagField.description('Whether story drafts use the test value'),
  is_test: flagField.description('Whether `value` is the test value'),
  typed_value: shownKeys.typed_value,
};

/** A client that says `test_resource: true` means the test value: without `is_test` the live one would be replaced. */
const testResourceField = Joi.any()
  .custom((given: unknown, helpers) => {
    // The last key of the schema: those before it are converted.
    const { value, is_test: isTest } = helpers.state.ancestors[0] as ResourceBody;
    const isMeant = /^true$/i.test(String(given)) && value !== undefined && isTest !== true;
    return isMeant ? helpers.error('resource.test') : given;
  })
  .strip()
  .messages({
    'resource.test': '{{#label}} is not supported: send "is_test": true to change the test value',
  })
  .description('No effect. `true` together with `value` requires `is_test`');

/** Keys of a response that clients send back. */
const ECHOED = [
  'id',
  'resource_id',
  'slug',
  'user_id',
  'referencing_action_ids',
  'created_at',
  'updated_at',
  'include_referencing_action_ids',
];

const routes = crudRoutes<Services, ResourceView>({
  tag: 'Resources',
  ...placesOf(RESOURCES, resourceExample.id),
  response: resourceResponse,
  example: resourceExample,
  present: presentResource,
});

const isTyped = ({ typed_value: typed = false }: ShownQuery) => typed;

/** Endpoints of resources (spec §3.8); those of their parts are in resource-part-routes. */
export const resourceRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List resources',
    description:
      'Resources of the team `team_id`, otherwise all that you can use, including those shared by other teams. `filter=UNUSED_IN_ACTIONS` returns those that no action refers to; names computed by templates are not found.',
    plural: 'global_resources',
    query: Joi.object<ListQuery>({
      ...pageKeys,
      ...shownKeys,
      team_id: idField,
      folder_id: idField,
      search: Joi.string().max(255).description('Part of the name'),
      filter: Joi.string().valid('UNUSED_IN_ACTIONS').description('Unused resources'),
    }),
    exampleQuery: { team_id: 2 },
    async handle({ actor, query, window }, { resources }) {
      const { team_id: teamId, folder_id: folderId, search, filter } = query;
      const isUnused = filter !== undefined;
      const page = await resources.list(actor, { teamId, folderId, search, isUnused }, window);
      const mentions = query.include_referencing_action_ids
        ? await resources.mentions(actor, page.items)
        : undefined;
      const items = page.items.map((resource) => ({
        resource,
        isTyped: isTyped(query),
        actionIds: mentions?.(resource),
      }));
      return { items, total: page.total };
    },
  }),

  routes.create<NewResource & ShownQuery>({
    summary: 'Create a resource',
    description:
      '`team_id` defaults to the team of the key, or else the user’s first team. With `live_resource_id`, no resource is created: that resource gets `value` as its test value and is returned.',
    body: Joi.object({
      ...resourceKeys,
      name: resourceKeys.name.required(),
      value: anyValue.required(),
      is_test: resourceKeys.is_test.valid(false),
      live_resource_id: idField.empty(ABSENT),
    }),
    exampleBody: { name: 'Blocked domains', value: ['evil.example', 'bad.example'], team_id: 2 },
    errors: [400, 403, 404, 409, 413, 415, 422],
    ignored: [...ECHOED, 'test_resource'],
    audit: 'resource.create',
    check: ({ actor, body }, { resources }) => resources.checkCreate(actor, body),
    handle: async ({ actor, body }, { resources }) => ({
      resource: await resources.create(actor, body),
      isTyped: isTyped(body),
    }),
  }),

  routes.get<ShownQuery>({
    summary: 'Get a resource',
    description:
      'Includes its value, as text unless `typed_value` is true. Also returns resources shared by other teams.',
    query: Joi.object<ShownQuery>(shownKeys),
    errors: [404, 422],
    async handle({ actor, params, query }, { resources }) {
      const resource = await resources.get(actor, params.id);
      const mentions = query.include_referencing_action_ids
        ? await resources.mentions(actor, [resource])
        : undefined;
      return { resource, isTyped: isTyped(query), actionIds: mentions?.(resource) };
    },
  }),

  ...routes.update<ResourceBody & ShownQuery>({
    summary: 'Update a resource',
    description:
      'Changes the given fields; stories use the new value within five seconds. With `is_test`, changes the test value for story drafts.',
    body: Joi.object({ ...resourceKeys, test_resource: testResourceField }),
    exampleBody: { value: ['evil.example', 'bad.example'] },
    errors: [400, 403, 404, 409, 413, 415, 422],
    ignored: [...ECHOED, 'live_resource_id'],
    audit: 'resource.update',
    check: ({ actor, params, body }, { resources }) => resources.checkUpdate(actor, params.id, body),
    handle: async ({ actor, params, body }, { resources }) => ({
      resource: await resources.update(actor, params.id, body),
      isTyped: isTyped(body),
    }),
  }),

  routes.delete({
    summary: 'Delete a resource',
    description:
      'Templates that refer to it no longer find it. Check `include_referencing_action_ids` first to see which actions do.',
    audit: 'resource.delete',
    handle: ({ actor, params }, { resources }) => resources.delete(actor, params.id),
  }),
];
