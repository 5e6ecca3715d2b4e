import Joi from 'joi';
import { idField } from '../../platform/http/address/path-id.js';
import type { JsonObject } from '../../platform/json.js';
import { nameField } from '../../people/face.js';
import { parseIsoTime } from '../../platform/time/iso-time.js';
import {
  CASE_LIMITS,
  CASE_PRIORITIES,
  CASE_STATUSES,
  type CasePriority,
  type CaseStatus,
  type ClosureCondition,
} from './case.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { jsonObject } from '../../platform/validation/json-object.js';

/** Fields with the same meaning in create and update; null counts as absent (spec §7.3). */
interface CaseFields {
  name?: string | null;
  description?: string | null;
  priority?: CasePriority | null;
  status?: CaseStatus | null;
  author_email?: string | null;
  assignee_emails?: string[] | '' | null;
  opened_at?: Date | '' | null;
  resolved_at?: Date | '' | null;
  metadata?: JsonObject | '' | null;
  closure_conditions?: ClosureCondition[] | '' | null;
}

export interface CreateCaseBody extends CaseFields {
  team_id: number;
  name: string;
  tag_names?: string[] | null;
}

export interface UpdateCaseBody extends CaseFields {
  team_id?: number | null;
  add_assignee_emails?: string[] | null;
  remove_assignee_emails?: string[] | null;
  add_tag_names?: string[] | null;
  remove_tag_names?: string[] | null;
}

/** The database cannot store an earlier time. */
const EARLIEST = Date.UTC(1000, 0, 1);

/** A time; an empty text removes it. */
const caseTime = Joi.string()
  .custom((text: string, helpers) => {
    const time = parseIsoTime(text);
    if (time === undefined) return helpers.error('time.iso');
    return time.getTime() < EARLIEST ? helpers.error('time.early') : time;
  })
  .messages({
    'time.iso': '{{#label}} must be an ISO 8601 time such as 2026-11-21T09:30:00Z',
    'time.early': '{{#label}} must not be before the year 1000',
  })
  .allow('', null)
  .description('ISO 8601; without an offset it is UTC');

export const longText = Joi.string().max(CASE_LIMITS.textCharacters);
export const emailField = Joi.string().trim().max(255).email({ tlds: false, minDomainSegments: 1 });
/** `CLOSE`, a word of public clients, means CLOSED. */
export const statusField = Joi.string()
  .replace(/^close$/i, 'CLOSED')
  .valid(...CASE_STATUSES)
  .insensitive();
export const priorityField = Joi.string()
  .valid(...CASE_PRIORITIES)
  .insensitive();
const emails = Joi.array().items(emailField).max(CASE_LIMITS.assignees);
/** Activities list tag names separated by commas, so a name is one line. */
const tagNames = Joi.array().items(nameField).max(CASE_LIMITS.tags);

/** Any JSON object, with its key order. joi does not copy an object whose schema names no keys, so all keys stay. */
export const metadataField = jsonObject()
  .custom((metadata: JsonObject, helpers) => {
    const wrong = Object.keys(metadata).find((key) => key.trim() === '' || key.length > 255);
    if (wrong !== undefined) return helpers.error('metadata.key');
    const size = stringifyJson(metadata).length;
    return size > CASE_LIMITS.metadataCharacters ? helpers.error('metadata.size') : metadata;
  })
  .messages({
    'metadata.key': '{{#label}} has a key that is empty or longer than 255 characters',
    'metadata.size': `{{#label}} exceeds ${CASE_LIMITS.metadataCharacters} characters as JSON`,
  })
  .description('Key-value pairs');

const closureConditions = Joi.array()
  .items(Joi.object({ name: nameField.required(), formula: Joi.string().max(10_000).required() }))
  .max(CASE_LIMITS.closureConditions)
  .description('Formulas that must all be true before the case can be closed');

const fields = {
  description: longText.allow('', null).description('Markdown; `<@user-12>` mentions the user 12'),
  priority: priorityField.allow(null).description('critical, high, medium, low or info'),
  status: statusField.allow(null).description('open or closed'),
  author_email: emailField.allow('', null),
  assignee_emails: emails.allow('', null),
  opened_at: caseTime,
  resolved_at: caseTime,
  metadata: metadataField.allow('', null),
  closure_conditions: closureConditions.allow('', null),
};

/** Body of a new case (spec §7.2). */
export const createCaseBody = Joi.object<CreateCaseBody>({
  team_id: idField.required(),
  name: nameField.required(),
  ...fields,
  tag_names: tagNames.allow(null),
});

/** Body of an update: null leaves a field unchanged, an empty text clears it (spec §7.3). */
export const updateCaseBody = Joi.object<UpdateCaseBody>({
  name: nameField.allow(null),
  team_id: idField.allow(null),
  ...fields,
  add_assignee_emails: emails.allow(null),
  remove_assignee_emails: emails.allow(null),
  add_tag_names: tagNames.allow(null),
  remove_tag_names: tagNames.allow(null),
});
