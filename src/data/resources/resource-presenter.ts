import Joi from 'joi';
import { component, idSchema, READ_ACCESS, responseSchema, timeSchema } from '../../api/face.js';
import { slugsOf } from '../../people/face.js';
import type { JsonValue } from '../../platform/json.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { ResourceRecord } from './resource-store.js';
import { textOfValue, typeOf, VALUE_TYPES } from './resource-value.js';

/** A resource and how it is shown. */
export interface ResourceView {
  resource: ResourceRecord;
  /** Whether values are shown as JSON instead of as text. */
  isTyped: boolean;
  /** The actions that name it; absent unless asked for. */
  actionIds?: number[] | undefined;
}

const shownValue = Joi.any().description(
  'Text, or JSON for lists, objects, numbers and booleans. With `typed_value=true`, the value itself',
);

/** A resource in a response. */
export const resourceResponse = component(
  'Resource',
  responseSchema({
    id: idSchema,
    name: Joi.string(),
    slug: Joi.string().allow('').description('Alternative name for templates'),
    value: shownValue,
    value_type: Joi.string()
      .valid(...VALUE_TYPES)
      .description('The type of `value`'),
    team_id: idSchema,
    folder_id: idSchema.allow(null),
    user_id: idSchema.allow(null).description('The user who created it'),
    description: Joi.string().allow(''),
    read_access: Joi.string()
      .valid(...READ_ACCESS)
      .description('Teams that can use it'),
    shared_team_slugs: Joi.array()
      .items(Joi.string().allow(''))
      .description('With `SPECIFIC_TEAMS`: the other teams that can use it'),
    test_resource_enabled: Joi.boolean().description('Whether story drafts use the test value'),
    test_resource: responseSchema({
      value: shownValue,
      created_at: timeSchema,
      updated_at: timeSchema,
    })
      .allow(null)
      .description('Test value for story drafts'),
    created_at: timeSchema,
    updated_at: timeSchema,
  }).append({
    referencing_action_ids: Joi.array()
      .items(idSchema)
      .description('With `include_referencing_action_ids`: the actions that refer to it'),
  }),
);

/** For the documentation. */
export const resourceExample = {
  id: 47,
  name: 'Blocked domains',
  slug: 'blocked_domains',
  value: '["evil.example","bad.example"]',
  value_type: 'array',
  team_id: 2,
  folder_id: null,
  user_id: 3,
  description: '',
  read_access: 'TEAM',
  shared_team_slugs: [],
  test_resource_enabled: false,
  test_resource: null,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** A resource as the API returns it. */
export function presentResource({ resource, isTyped, actionIds }: ResourceView) {
  const shown = (value: JsonValue) => (isTyped ? value : textOfValue(value));
  const { test } = resource;
  return {
    id: resource.id,
    name: resource.name,
    slug: resource.slug,
    value: shown(resource.value),
    value_type: typeOf(resource.value),
    team_id: resource.teamId,
    folder_id: resource.folderId,
    user_id: resource.userId,
    description: resource.description ?? '',
    read_access: resource.readAccess,
    shared_team_slugs: slugsOf(resource.sharedTeams),
    test_resource_enabled: resource.testEnabled,
    test_resource:
      test === undefined
        ? null
        : {
            value: shown(test.value),
            created_at: timestamp(test.createdAt),
            updated_at: timestamp(test.updatedAt),
          },
    created_at: timestamp(resource.createdAt),
    updated_at: timestamp(resource.updatedAt),
    ...(actionIds !== undefined && { referencing_action_ids: actionIds }),
  };
}
