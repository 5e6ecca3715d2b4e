import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { causeOf } from '../../engine/face.js';
import { attemptExample, attemptSchema, CAUSE, presentWholeAttempt } from '../attempts/attempt-presenter.js';
import { errorKindSchema } from './groups/dead-letter-group-presenter.js';
import { errorKindOf } from './groups/error-kind.js';
import { type DeadLetterDetails, MOST_ATTEMPTS, type NamedDeadLetter } from './dead-letter.js';

/** A dead letter. */
export function presentDeadLetter(letter: NamedDeadLetter) {
  return {
    id: letter.id,
    team_id: letter.teamId,
    story_id: letter.storyId,
    story_name: letter.storyName,
    agent_id: letter.agentId,
    agent_name: letter.agentName,
    story_run_guid: letter.storyRunGuid,
    subject: letter.subject,
    event_id: letter.eventId,
    attempts: letter.attempts,
    retries: letter.retries,
    error: letter.error,
    error_kind: errorKindOf(letter.error ?? ''),
    cause: causeOf(letter),
    created_at: timestamp(letter.createdAt),
    failed_at: timestamp(letter.failedAt),
  };
}

/** A dead letter with its newest attempts. */
export function presentLetterDetails({ letter, attempts }: DeadLetterDetails) {
  return { ...presentDeadLetter(letter), attempt_log: attempts.map(presentWholeAttempt) };
}

const letterKeys = {
  id: idSchema,
  team_id: idSchema,
  story_id: idSchema,
  story_name: Joi.string().allow(''),
  agent_id: idSchema.description('The action that failed'),
  agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
  story_run_guid: Joi.string().guid(),
  subject: Joi.string()
    .allow('', null)
    .description('Subject of its run; null if its first event tells none, or if the command line reads it'),
  event_id: idSchema
    .allow(null)
    .description('The event that it processed; null if it was the first of the run'),
  attempts: Joi.number().integer(),
  retries: Joi.number().integer().description('Number of manual retries'),
  error: Joi.string().allow('', null),
  error_kind: errorKindSchema,
  cause: Joi.string().allow('', null).description(CAUSE),
  created_at: timeSchema,
  failed_at: timeSchema,
};

/** Schema of a dead letter in a response. */
export const deadLetterSchema = component('DeadLetter', responseSchema(letterKeys));

/** Schema of a dead letter with its newest attempts in a response. */
export const letterDetailsSchema = component(
  'DeadLetterDetails',
  responseSchema({
    ...letterKeys,
    attempt_log: Joi.array()
      .items(attemptSchema)
      .description(
        `Its newest ${MOST_ATTEMPTS} failed attempts, oldest first, with what they sent and received`,
      ),
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
  subject: 'Disk full · web-17',
  event_id: 813,
  attempts: 10,
  retries: 0,
  error: 'The mail server refused the connection',
  error_kind: 'The mail server refused the connection',
  cause: 'The mail server refused the connection',
  created_at: '2026-11-21T09:30:01Z',
  failed_at: '2026-11-21T10:42:07Z',
};

/** For the documentation. */
export const letterDetailsExample = { ...deadLetterExample, attempt_log: [attemptExample] };
