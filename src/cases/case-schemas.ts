import Joi from 'joi';
import { component } from '../api/openapi/component.js';
import { responseSchema, idSchema, timeSchema } from '../api/response-schema.js';
import { pageMetaSchema } from '../api/page-meta.js';
import { ACTIVITY_TYPES, CASE_PRIORITIES, CASE_STATUSES } from './case.js';

const text = Joi.string().allow('');

/** A user object (spec §7.1). */
export const caseUserSchema = component(
  'CaseUser',
  responseSchema({
    user_id: Joi.string(),
    first_name: text,
    last_name: text,
    email: Joi.string(),
    avatar_url: text,
    is_service_account: Joi.boolean(),
  }),
);

/** Present only if a user acted on behalf of another user (decision 0031). */
const actingKeys = {
  acting_user: caseUserSchema.description(
    'The user who acted; present only if that is not the user shown as the author',
  ),
  on_behalf_of: caseUserSchema
    .allow(null)
    .description('The user it acted for; present only with `acting_user`'),
};

export const activitySchema = component(
  'CaseActivity',
  responseSchema({
    id: idSchema,
    activity_type: Joi.string().valid(...ACTIVITY_TYPES),
    value: text,
    user: caseUserSchema.allow(null),
    created_at: timeSchema,
  }).keys(actingKeys),
);

export const caseActionSchema = component(
  'CaseAction',
  responseSchema({
    id: idSchema,
    url: Joi.string().uri(),
    label: Joi.string(),
    action_type: Joi.string(),
  }),
);

export const linkedCaseSchema = component(
  'LinkedCase',
  responseSchema({ case_id: idSchema, name: Joi.string() }),
);

export const recordGroupSchema = component(
  'CaseRecordGroup',
  responseSchema({
    record_type_id: idSchema,
    record_type_name: Joi.string(),
    record_type_record_results: Joi.array().items(
      responseSchema({
        id: idSchema,
        results: Joi.array().items(
          responseSchema({ id: idSchema, name: Joi.string(), value: text.allow(null) }),
        ),
        created_at: timeSchema,
      }),
    ),
  }),
);

/** The Case shape (spec §7.1). */
export const caseSchema = component(
  'Case',
  responseSchema({
    case_id: idSchema,
    name: Joi.string(),
    description: Joi.string().allow(null),
    status: Joi.string().valid(...CASE_STATUSES),
    priority: Joi.string().valid(...CASE_PRIORITIES),
    url: Joi.string().uri(),
    metadata: Joi.object().unknown(true),
    author: caseUserSchema.allow(null),
    opened_by: caseUserSchema.allow(null),
    resolved_by: caseUserSchema.allow(null),
    assignees: Joi.array().items(caseUserSchema),
    tags: Joi.array().items(responseSchema({ id: idSchema, name: Joi.string() })),
    activities: Joi.array().items(activitySchema),
    activities_meta: pageMetaSchema,
    team: responseSchema({ id: idSchema, name: Joi.string() }),
    actions: Joi.array().items(caseActionSchema),
    linked_cases: Joi.array().items(linkedCaseSchema),
    opened_at: timeSchema.allow(null),
    resolved_at: timeSchema.allow(null),
    created_at: timeSchema,
    updated_at: timeSchema,
    records: Joi.array().items(recordGroupSchema),
    records_meta: pageMetaSchema,
    closure_conditions: Joi.array().items(responseSchema({ name: Joi.string(), formula: Joi.string() })),
  }).keys(actingKeys),
);
