import Joi from 'joi';
import { cursorKey, pageKeys, type PageQuery } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import { runGuidField } from '../runs/run-params.js';
import type { DeadLetterQuery } from './dead-letter.js';

/** The filter of a list, and of operations on many dead letters. */
export interface DeadLetterFilter {
  team_id?: number | undefined;
  story_id?: number | undefined;
  agent_id?: number | undefined;
  action_id?: number | undefined;
  story_run_guid?: string | undefined;
  error?: string | undefined;
  error_kind?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

export type DeadLetterListQuery = DeadLetterFilter & PageQuery;

export interface DeadLetterSelection extends DeadLetterFilter {
  all?: boolean | undefined;
  limit?: number | undefined;
}

/** Bound of one request, so that the response takes only seconds. */
export const MAX_AT_ONCE = 10_000;

const MAX_ERROR_CHARS = 500;

/** Fields of the filter. */
export const filterKeys = {
  team_id: idField,
  story_id: idField,
  agent_id: idField,
  action_id: idField.description('Same as `agent_id`'),
  story_run_guid: runGuidField,
  error: Joi.string().max(MAX_ERROR_CHARS).description('Part of the error message; case-insensitive'),
  error_kind: Joi.string()
    .max(MAX_ERROR_CHARS)
    .description('Error type, as returned by `GET /api/v1/dead_letters/groups`'),
  since: timeField.description('Failed at or after this time'),
  until: timeField.description('Failed before this time'),
};
const filterNames = Object.keys(filterKeys);

export const deadLetterGroupQuery = Joi.object<DeadLetterFilter>(filterKeys);

export const deadLetterListQuery = Joi.object<DeadLetterListQuery>({
  ...filterKeys,
  ...pageKeys,
  ...cursorKey('time'),
});

/** Longest reason for dropping dead letters. */
export const MAX_REASON_CHARS = 500;
const dropKeys = {
  reason: Joi.string().max(MAX_REASON_CHARS).description('Reason, recorded in the audit log'),
};

/** The field of the most letters of one request. */
export const limitField = Joi.number()
  .integer()
  .min(1)
  .max(MAX_AT_ONCE)
  .description('Maximum number, oldest first');

/** `all` must be given explicitly, so that an empty body selects nothing. */
function selectionWith<Body extends DeadLetterSelection>(keys: Joi.PartialSchemaMap) {
  return Joi.object<Body>({
    ...filterKeys,
    limit: limitField,
    all: Joi.boolean().valid(true).description('All dead letters of the teams that you can write to'),
    ...keys,
  })
    .or('all', ...filterNames)
    .without('all', filterNames);
}

export const deadLetterSelection = selectionWith<DeadLetterSelection>({});

/** Why letters are dropped, for the audit log. */
export interface DropReason {
  reason?: string | undefined;
}

export const deadLetterDrop = Joi.object<DropReason>(dropKeys);

export const deadLettersDrop = selectionWith<DeadLetterSelection & DropReason>(dropKeys);

/** Converts the filter to the service's query. */
export function toDeadLetterQuery(filter: DeadLetterFilter): DeadLetterQuery {
  const { team_id: teamId, story_id: storyId, story_run_guid: storyRunGuid, error, since, until } = filter;
  const { error_kind: errorKind } = filter;
  const agentIds = [filter.agent_id, filter.action_id].filter((id) => id !== undefined);
  return { teamId, storyId, agentIds, storyRunGuid, error, errorKind, since, until };
}
