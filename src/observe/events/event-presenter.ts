import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { EventView } from './event.js';
import { previousEventIds } from './event-views.js';

/** An event. */
export function presentEvent(event: EventView) {
  const previous = previousEventIds(event);
  const createdAt = timestamp(event.createdAt);
  return {
    id: event.id,
    user_id: event.userId,
    story_id: event.storyId,
    story_run_guid: event.storyRunGuid,
    agent_id: event.agentId,
    agent_name: event.agentName,
    previous_events_ids: previous,
    previous_event_ids: previous,
    payload: event.payload,
    incomplete: event.incomplete,
    story_mode: event.draftId === null ? 'LIVE' : 'TEST',
    draft_id: event.draftId,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** Schema of an event in a response. */
export const eventSchema = component(
  'Event',
  responseSchema({
    id: idSchema,
    user_id: idSchema.description('The owner of the story'),
    story_id: idSchema,
    story_run_guid: Joi.string().guid(),
    agent_id: idSchema.description('The action that emitted it'),
    agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
    previous_events_ids: Joi.array()
      .items(idSchema)
      .description('Ids of the upstream events in its cumulative payload, oldest first'),
    previous_event_ids: Joi.array().items(idSchema).description('Same as `previous_events_ids`'),
    payload: Joi.any(),
    incomplete: Joi.boolean().description('Whether a part of the payload is missing'),
    story_mode: Joi.string().valid('LIVE', 'TEST').description('TEST for a draft'),
    draft_id: idSchema.allow(null).description('The draft that emitted it; null for the live story'),
    created_at: timeSchema,
    updated_at: timeSchema.description('Same as `created_at`: events do not change'),
  }),
);

/** An event in a list, for examples. */
export const eventExample = {
  id: 813,
  user_id: 5,
  story_id: 12,
  story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
  agent_id: 31,
  agent_name: 'Pick the host',
  previous_events_ids: [812],
  previous_event_ids: [812],
  payload: { host: 'web-1' },
  incomplete: false,
  story_mode: 'LIVE',
  draft_id: null,
  created_at: '2026-11-21T09:30:01Z',
  updated_at: '2026-11-21T09:30:01Z',
};
