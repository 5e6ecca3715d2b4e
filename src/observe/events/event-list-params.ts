import Joi from 'joi';
import { cursorKey, pageKeys, type PageQuery } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { timeField } from '../../platform/http/time-field.js';
import type { EventQuery } from './event-service.js';

/** The query parameters that all lists of events have. */
export interface EventListQuery extends PageQuery {
  since_id?: number;
  until_id?: number;
  since?: Date;
  until?: Date;
  show_reemitted_events_only: boolean;
  exclude_previous_event_payloads: boolean;
}

/** The keys of their query schemas. */
export const eventListKeys = {
  since_id: idField.allow(0).description('Events after this id'),
  until_id: idField.description('Events up to and including this id'),
  since: timeField.description('Events from this time on'),
  until: timeField.description('Events before this time'),
  show_reemitted_events_only: Joi.boolean()
    .default(false)
    .description('true for only events that were emitted again manually'),
  exclude_previous_event_payloads: Joi.boolean()
    .default(true)
    .description('false to return each event with the full input of its receivers'),
  ...pageKeys,
  ...cursorKey('id'),
};

/** Returns the filter of these parameters. */
export function eventFilterOf(query: EventListQuery): Omit<EventQuery, 'agentIds'> {
  return {
    sinceId: query.since_id,
    untilId: query.until_id,
    since: query.since,
    until: query.until,
    reemittedOnly: query.show_reemitted_events_only,
    cumulative: !query.exclude_previous_event_payloads,
  };
}
