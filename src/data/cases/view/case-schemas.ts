import Joi from 'joi';
import { component, idSchema, pageMetaSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { ACTIVITY_TYPES, CASE_PRIORITIES, CASE_STATUSES } from '../case.js';

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
  acting_user: caseUserSchema.description('The user who acted; present only if different from the author'),
  on_behalf_of: caseUserSchema
    .allow(null)
    .description('The user it acted on behalf of; present only with `acting_user`'),
};

export const activitySchema = component(
  'CaseActivity',
  responseSchema({
    id: idSchema,
    activity_type: Joi.string()
      .valid(...ACTIVITY_TYPES)
      .description('Type of change'),
    value: text.description('The changed values, or the text of the comment'),
    user: caseUserSchema.allow(null).description('The acting user; null if the user was deleted'),
    created_at: timeSchema,
  }).keys(actingKeys),
);

export const caseActionSchema = component(
  'CaseAction',
  responseSchema({
    id: idSchema,
    url: Joi.string().uri().description('URL of the link'),
    label: Joi.string().description('The text of the link'),
    action_type: Joi.string().description('Type of link'),
  }).keys({
    action_text: Joi.string().description('Text of the button; absent if none'),
  }),
);

export const linkedCaseSchema = component(
  'LinkedCase',
  responseSchema({
    case_id: idSchema,
    name: Joi.string(),
    team_id: idSchema.description('Its team. Changing a link requires write access to both cases'),
  }),
);

const caseRecord = responseSchema({
  id: idSchema,
  results: Joi.array()
    .description('The values of its fields')
    .items(
      responseSchema({
        id: idSchema,
        name: Joi.string(),
        value: text.allow(null).description('The value of the field'),
      }),
    ),
  created_at: timeSchema,
});

export const recordGroupSchema = component(
  'CaseRecordGroup',
  responseSchema({
    record_type_id: idSchema,
    record_type_name: Joi.string().description('The name of the record type'),
    record_type_record_results: Joi.array().description('The records of the type').items(caseRecord),
  }),
);

const recordWithType = caseRecord
  .keys({
    record_type: responseSchema({ id: idSchema, name: Joi.string() }).required().description('The type'),
  })
  .description('The record');

/** One record of a case, with its type. */
export const oneRecordSchema = component('CaseRecord', responseSchema({ record: recordWithType }));

/** A record that was added: its group, and the record itself. */
export const addedRecordSchema = component(
  'AddedCaseRecord',
  recordGroupSchema.keys({ record: recordWithType.required() }),
);

/** The Case shape (spec §7.1). */
export const caseSchema = component(
  'Case',
  responseSchema({
    case_id: idSchema,
    name: Joi.string(),
    description: Joi.string().allow(null),
    status: Joi.string()
      .valid(...CASE_STATUSES)
      .description('Whether the case is open'),
    priority: Joi.string()
      .valid(...CASE_PRIORITIES)
      .description('Priority of the case'),
    url: Joi.string().uri().description('URL of its page'),
    metadata: Joi.object().unknown(true).description('Custom key-value pairs'),
    author: caseUserSchema.allow(null).description('The user who created it; null if the user was deleted'),
    opened_by: caseUserSchema
      .allow(null)
      .description('The user who last opened it; null if the user was deleted'),
    resolved_by: caseUserSchema.allow(null).description('The user who resolved it; null if it is open'),
    assignees: Joi.array().items(caseUserSchema).description('Assignees'),
    tags: Joi.array()
      .items(responseSchema({ id: idSchema, name: Joi.string() }))
      .description('Its tags'),
    activities: Joi.array().items(activitySchema).description('Its history (first page)'),
    activities_meta: pageMetaSchema.description('Paging of the activities'),
    team: responseSchema({ id: idSchema, name: Joi.string() }),
    actions: Joi.array().items(caseActionSchema).description('Its links to other systems'),
    linked_cases: Joi.array().items(linkedCaseSchema).description('Linked cases'),
    opened_at: timeSchema.allow(null).description('When it was last opened'),
    resolved_at: timeSchema.allow(null).description('When it was resolved; null if it is open'),
    created_at: timeSchema,
    updated_at: timeSchema,
    records: Joi.array().items(recordGroupSchema).description('Its records by type (first page)'),
    records_meta: pageMetaSchema.description('Paging of the records'),
    closure_conditions: Joi.array()
      .description('Conditions that must be met before it can be closed')
      .items(responseSchema({ name: Joi.string(), formula: Joi.string() })),
  }).keys(actingKeys),
);
