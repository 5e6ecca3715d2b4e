import Joi from 'joi';
import { type AnyRoute, defineRoute, exampleMeta, listSchema, pageMeta, windowOf } from '../../api/face.js';
import { type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { eventFilterOf, eventListKeys, type EventListQuery } from './event-list-params.js';
import { eventExample, eventSchema, presentEvent } from './event-presenter.js';
import type { EventService } from './event-service.js';

interface Services {
  events: EventService;
}

/** The events of an action, under both names in paths (spec §5.8). */
export const actionEventRoutes: AnyRoute<Services>[] = (['actions', 'agents'] as const).map((word) =>
  defineRoute<IdParams, EventListQuery, unknown, Services>({
    method: 'get',
    path: `/api/v1/${word}/:id/events`,
    summary: `List the events of one of the ${word}, newest first`,
    params: idParams,
    query: Joi.object<EventListQuery>(eventListKeys),
    // Some clients repeat the id of the path.
    ignored: ['action_id'],
    docs: {
      tag: 'Events',
      description: `Like the list of all events, filtered to those emitted by one of the ${word}.`,
      response: listSchema('events', eventSchema),
      example: {
        params: { id: eventExample.agent_id },
        query: { since_id: 800 },
        response: {
          events: [eventExample],
          meta: exampleMeta(`/api/v1/${word}/${eventExample.agent_id}/events`),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { events }) {
      const wanted = { ...eventFilterOf(query), agentIds: [params.id] };
      const page = await events.list(actor, wanted, windowOf(query));
      return { events: page.items.map(presentEvent), meta: pageMeta(request, query, page) };
    },
  }),
);
