import Joi from 'joi';
import { component, idSchema, pageMetaSchema, responseSchema, timeSchema } from '../../api/face.js';
import { eventExample, eventSchema } from '../events/event-presenter.js';
import { RUN_SOURCES, RUN_STATUSES } from './run.js';

const count = Joi.number().integer().min(0);

const runKeys = {
  guid: Joi.string().guid(),
  story_id: idSchema,
  source: Joi.string().valid(...RUN_SOURCES),
  status: Joi.string().valid(...RUN_STATUSES),
  created_at: timeSchema,
  ended_at: timeSchema
    .allow(null)
    .description('When its last event was stored or its last delivery failed, or it was cancelled'),
  cancelled_at: timeSchema.allow(null),
  start_time: timeSchema.description('The same as `created_at`'),
  end_time: timeSchema.allow(null).description('The same as `ended_at`'),
  duration: Joi.number()
    .min(0)
    .allow(null)
    .description('Seconds from its start to its end; null while it runs'),
  event_count: count,
  action_count: count.description('Number of actions that emitted events'),
  story_mode: Joi.string().valid('LIVE', 'TEST').description('TEST: the run of a draft'),
  draft_id: idSchema.allow(null).description('The draft whose run it is; null: the live story'),
  draft_name: Joi.string().allow(null).description('The name of that draft'),
};

/** Schema of a run in a response. */
export const runSchema = component('Run', responseSchema(runKeys));

const deliveryKeys = {
  id: idSchema,
  agent_id: idSchema,
  agent_name: Joi.string().allow('', null).description('null: the action has been deleted'),
  event_id: idSchema.allow(null).description('null: the action is the first of the run'),
  attempts: count,
  error: Joi.string().allow(null),
  created_at: timeSchema,
};

const runEventSchema = component(
  'RunEvent',
  responseSchema({
    id: idSchema,
    action_id: idSchema.description('The action that emitted it'),
    action_name: Joi.string().allow('', null).description('null: the action has been deleted'),
    previous_events_ids: Joi.array().items(idSchema).description('The events that led to it, oldest first'),
    created_at: timeSchema,
    updated_at: timeSchema.description('The same as `created_at`: events do not change'),
    emitted_at: Joi.string().isoDate().description('The same time with milliseconds'),
    work_ms: count
      .allow(null)
      .description('How long the action worked, in ms; null: unknown, or the input of the run'),
  }),
);

/** Schema of a run with its events and deliveries in a response. */
export const runDetailsSchema = component(
  'RunDetails',
  responseSchema({
    ...runKeys,
    archived: Joi.boolean().description('Whether it was read from the archive, as retention has deleted it'),
    input: Joi.any().description('The input of the run; null for a run that a webhook started'),
    log_count: count,
    open_delivery_count: count,
    open_deliveries: Joi.array()
      .items(
        responseSchema({
          ...deliveryKeys,
          state: Joi.string()
            .valid('pending', 'waiting', 'parked')
            .description(
              '`pending`: as soon as possible; `waiting`: at its time; `parked`: when others have ended',
            ),
          waits_until: timeSchema.allow(null),
        }),
      )
      .description('The open deliveries; the first hundred'),
    dead_letter_count: count,
    dead_letters: Joi.array()
      .items(responseSchema({ ...deliveryKeys, failed_at: timeSchema.allow(null) }))
      .description('The deliveries that failed for good; the first hundred'),
    events: Joi.array().items(eventSchema).description('The events of the page, oldest first'),
    story_run_events: Joi.array()
      .items(runEventSchema)
      .description('The same events without their payloads, as public clients read them'),
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
      created_at: '2026-11-21T09:30:01Z',
      failed_at: '2026-11-21T09:30:02Z',
    },
  ],
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
