import Joi from 'joi';
import { component } from '../api/openapi/component.js';
import { responseSchema, idSchema, timeSchema } from '../api/response-schema.js';
import { pageMetaSchema } from '../api/page-meta.js';
import { eventExample, eventSchema } from './events/event-presenter.js';
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
  event_count: count,
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

/** Schema of a run with its events and deliveries in a response. */
export const runDetailsSchema = component(
  'RunDetails',
  responseSchema({
    ...runKeys,
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
  event_count: 1,
};

/** A run that was just started. */
export const newRunExample = {
  ...runExample,
  source: 'api',
  status: 'running',
  ended_at: null,
  event_count: 0,
};

/** A run with its events and deliveries, without the page's `meta`. */
export const runDetailsExample = {
  ...runExample,
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
};
