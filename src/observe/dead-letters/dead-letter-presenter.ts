import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { DeadLetter } from './dead-letter.js';

/** A dead letter. */
export function presentDeadLetter(letter: DeadLetter) {
  return {
    id: letter.id,
    team_id: letter.teamId,
    story_id: letter.storyId,
    story_name: letter.storyName,
    agent_id: letter.agentId,
    agent_name: letter.agentName,
    story_run_guid: letter.storyRunGuid,
    event_id: letter.eventId,
    attempts: letter.attempts,
    retries: letter.retries,
    error: letter.error,
    created_at: timestamp(letter.createdAt),
    failed_at: timestamp(letter.failedAt),
  };
}

/** Schema of a dead letter in a response. */
export const deadLetterSchema = component(
  'DeadLetter',
  responseSchema({
    id: idSchema,
    team_id: idSchema,
    story_id: idSchema,
    story_name: Joi.string().allow(''),
    agent_id: idSchema.description('The action that failed'),
    agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
    story_run_guid: Joi.string().guid(),
    event_id: idSchema
      .allow(null)
      .description('The event that it processed; null if it was the first of the run'),
    attempts: Joi.number().integer(),
    retries: Joi.number().integer().description('Number of manual retries'),
    error: Joi.string().allow('', null),
    created_at: timeSchema,
    failed_at: timeSchema,
  }),
);

/** For the documentation. */
export const deadLetterExample = {
  id: 901,
  team_id: 3,
  story_id: 12,
  story_name: 'Alerts',
  agent_id: 32,
  agent_name: 'Send mail',
  story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
  event_id: 813,
  attempts: 10,
  retries: 0,
  error: 'The mail server refused the connection',
  created_at: '2026-11-21T09:30:01Z',
  failed_at: '2026-11-21T10:42:07Z',
};
