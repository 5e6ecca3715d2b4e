import Joi from 'joi';
import { component, idSchema, pageMetaSchema, responseSchema, timeSchema } from '../../api/face.js';
import { WAIT_REASON_TEXT, WAIT_REASONS } from '../../engine/face.js';
import { eventExample, eventSchema } from '../events/event-presenter.js';
import { RUN_SOURCES, RUN_STATUSES } from './run.js';
import { attemptSummaryExample, attemptSummarySchema, CAUSE } from '../attempts/attempt-presenter.js';
import { errorKindSchema } from '../dead-letters/groups/dead-letter-group-presenter.js';

const count = Joi.number().integer().min(0);

const runKeys = {
  guid: Joi.string().guid(),
  story_id: idSchema,
  source: Joi.string().valid(...RUN_SOURCES),
  status: Joi.string().valid(...RUN_STATUSES),
  created_at: timeSchema,
  ended_at: timeSchema
    .allow(null)
    .description('When its last event was stored, its last delivery failed, or it was cancelled'),
  cancelled_at: timeSchema.allow(null),
  start_time: timeSchema.description('Same as `created_at`'),
  end_time: timeSchema.allow(null).description('Same as `ended_at`'),
  duration: Joi.number().min(0).allow(null).description('Duration in seconds; null while it is running'),
  event_count: count,
  action_count: count.description('Number of actions that emitted events'),
  story_mode: Joi.string().valid('LIVE', 'TEST').description('TEST for the run of a draft'),
  draft_id: idSchema.allow(null).description('The draft of the run; null for the live story'),
  draft_name: Joi.string().allow(null).description('Name of the draft'),
  subject: Joi.string()
    .allow(null)
    .description(
      'Subject of the run: the template `run_subject` of its story, or telling fields of its first event. null if that was deleted, exceeds 64 KiB or has no plain values',
    ),
  cause: Joi.string().allow('', null).description(`${CAUSE}; of its first dead letter, null if it has none`),
  warnings: count.description(
    'Number of steps that logged errors and did not fail, among the first 1,000 errors of the run',
  ),
};

/** Schema of a run in a response. */
export const runSchema = component('Run', responseSchema(runKeys));

const deliveryKeys = {
  id: idSchema,
  agent_id: idSchema,
  agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
  event_id: idSchema.allow(null).description('null if the action is the first of the run'),
  attempts: count,
  error: Joi.string().allow(null),
  cause: Joi.string().allow('', null).description(`${CAUSE}; null if nothing failed`),
  created_at: timeSchema,
};

const runEventSchema = component(
  'RunEvent',
  responseSchema({
    id: idSchema,
    action_id: idSchema.description('The action that emitted it'),
    action_name: Joi.string().allow('', null).description('null if the action was deleted'),
    previous_events_ids: Joi.array().items(idSchema).description('Its upstream events, oldest first'),
    created_at: timeSchema,
    updated_at: timeSchema.description('Same as `created_at`: events do not change'),
    emitted_at: Joi.string().isoDate().description('Same time with milliseconds'),
    work_ms: count
      .allow(null)
      .description('Processing time of the action in ms; null if unknown, or for the input of the run'),
  }),
);

const runFailureSchema = component(
  'RunFailure',
  responseSchema({
    dead_letter_id: idSchema.description('The first dead letter of the run'),
    agent_id: idSchema.description('The action that failed'),
    agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
    event_id: idSchema.allow(null).description('null if the action is the first of the run'),
    error: Joi.string().allow('', null),
    error_kind: errorKindSchema,
    cause: Joi.string().allow('', null).description(CAUSE),
    attempts: count,
    failed_at: timeSchema.allow(null),
    same: responseSchema({
      dead_letters: count.description('Their number, this one included'),
      first_failed_at: timeSchema.description('When the first one failed'),
      last_failed_at: timeSchema.description('When the last one failed'),
      complete: Joi.boolean().description('false if only the newest 100,000 dead letters were counted'),
    }).description('Dead letters of the action with this error type, in all runs'),
    story_change: responseSchema({
      version_id: idSchema,
      number: count.description('Version number in the story'),
      name: Joi.string().allow('', null).description('Name of the version'),
      source: Joi.string().description('Source of the version, as in the list of versions'),
      changed_at: timeSchema.description('When the version was saved'),
      by: responseSchema({ id: idSchema, name: Joi.string().allow('') })
        .allow(null)
        .description('The user who changed it; null if the user was deleted'),
    })
      .allow(null)
      .description('The last change of the story before the run started; null if none is known'),
  }),
);

/** Schema of a run with its events and deliveries in a response. */
export const runDetailsSchema = component(
  'RunDetails',
  responseSchema({
    ...runKeys,
    archived: Joi.boolean().description('Whether it was read from the archive because retention deleted it'),
    input: Joi.any().description('The input of the run; null for a run that a webhook started'),
    log_count: count,
    open_delivery_count: count,
    open_deliveries: Joi.array()
      .items(
        responseSchema({
          ...deliveryKeys,
          queue: Joi.string().description('The queue of its jobs'),
          state: Joi.string()
            .valid('pending', 'waiting', 'held', 'parked')
            .description(
              '`pending`: runs as soon as possible; `waiting`: runs at its time; `held`: runs when its story has fewer jobs; `parked`: runs when others have ended',
            ),
          reason: Joi.string()
            .valid(...WAIT_REASONS)
            .description(`Why it does not run now. ${WAIT_REASON_TEXT}`),
          waits_until: timeSchema.allow(null).description('When it is due; null unless it waits for a time'),
        }),
      )
      .description('The first hundred open deliveries'),
    dead_letter_count: count,
    dead_letters: Joi.array()
      .items(
        responseSchema({
          ...deliveryKeys,
          error_kind: errorKindSchema,
          failed_at: timeSchema.allow(null),
        }),
      )
      .description('The first hundred dead letters'),
    attempt_count: count.description(
      'Number of failed attempts, those of steps that succeeded later included',
    ),
    attempts: Joi.array()
      .items(attemptSummarySchema)
      .description('The first hundred failed attempts, oldest first, without what they sent and received'),
    failure: runFailureSchema.allow(null).description('null if the run has no dead letter'),
    events: Joi.array().items(eventSchema).description('Events of the page, oldest first'),
    story_run_events: Joi.array()
      .items(runEventSchema)
      .description('The same events without payloads, for public clients'),
    meta: pageMetaSchema,
  }),
);

/** A run in a list, for examples. */
export const runExample = {
  guid: eventExample.story_run_guid,
  story_id: 12,
  source: 'webhook',
  status: 'failed',
  created_at: '2026-11-21T09:30:00Z',
  ended_at: '2026-11-21T09:30:02Z',
  cancelled_at: null,
  start_time: '2026-11-21T09:30:00Z',
  end_time: '2026-11-21T09:30:02Z',
  duration: 2,
  event_count: 1,
  action_count: 1,
  story_mode: 'LIVE',
  draft_id: null,
  draft_name: null,
  subject: 'Disk full · web-17',
  cause: 'option recipients is required',
  warnings: 0,
};

/** A run that was just started. */
export const newRunExample = {
  ...runExample,
  source: 'api',
  status: 'running',
  ended_at: null,
  end_time: null,
  duration: null,
  event_count: 0,
  action_count: 0,
  cause: null,
};

/** A run with its events and deliveries, without the page's `meta`. */
export const runDetailsExample = {
  ...runExample,
  archived: false,
  input: null,
  log_count: 1,
  open_delivery_count: 0,
  open_deliveries: [],
  dead_letter_count: 1,
  dead_letters: [
    {
      id: 901,
      agent_id: 32,
      agent_name: 'Send mail',
      event_id: eventExample.id,
      attempts: 1,
      error: 'option recipients is required',
      error_kind: 'option recipients is required',
      cause: 'option recipients is required',
      created_at: '2026-11-21T09:30:01Z',
      failed_at: '2026-11-21T09:30:02Z',
    },
  ],
  attempt_count: 1,
  attempts: [
    {
      ...attemptSummaryExample,
      agent_name: 'Send mail',
      number: 1,
      status: null,
      cause: 'option recipients is required',
      error: 'option recipients is required',
    },
  ],
  failure: {
    dead_letter_id: 901,
    agent_id: 32,
    agent_name: 'Send mail',
    event_id: eventExample.id,
    error: 'option recipients is required',
    error_kind: 'option recipients is required',
    cause: 'option recipients is required',
    attempts: 1,
    failed_at: '2026-11-21T09:30:02Z',
    same: {
      dead_letters: 53,
      first_failed_at: '2026-11-21T08:26:11Z',
      last_failed_at: '2026-11-21T09:30:02Z',
      complete: true,
    },
    story_change: {
      version_id: 7,
      number: 12,
      name: null,
      source: 'edit',
      changed_at: '2026-11-21T08:24:40Z',
      by: { id: 4, name: 'Ada Lovelace' },
    },
  },
  events: [eventExample],
  story_run_events: [
    {
      id: eventExample.id,
      action_id: eventExample.agent_id,
      action_name: eventExample.agent_name,
      previous_events_ids: eventExample.previous_events_ids,
      created_at: eventExample.created_at,
      updated_at: eventExample.updated_at,
      emitted_at: '2026-11-21T09:30:01.125Z',
      work_ms: 118,
    },
  ],
};
