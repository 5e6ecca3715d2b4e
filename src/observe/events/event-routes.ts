import Joi from 'joi';
import { type AnyRoute, defineRoute, exampleMeta, listSchema, pageMeta, windowOf } from '../../api/face.js';
import { idField, type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { eventFilterOf, eventListKeys, type EventListQuery } from './event-list-params.js';
import { eventExample, eventSchema, presentEvent } from './event-presenter.js';
import type { EventService } from './event-service.js';
import { runGuidField } from '../runs/run-params.js';

interface Services {
  events: EventService;
}

interface ListQuery extends EventListQuery {
  story_id?: number;
  team_id?: number;
  agent_id?: number;
  action_id?: number;
  story_run_guid?: string;
}

interface GetQuery {
  exclude_previous_event_payloads: boolean;
}

const EVENTS = '/api/v1/events';
const TAG = 'Events';

const listQuery = Joi.object<ListQuery>({
  story_id: idField,
  team_id: idField.description('Events of the stories of this team'),
  agent_id: idField,
  action_id: idField.description('Same as `agent_id`'),
  story_run_guid: runGuidField,
  ...eventListKeys,
});

const getQuery = Joi.object<GetQuery>({
  exclude_previous_event_payloads: Joi.boolean()
    .default(false)
    .description('true to return only the output of the event'),
});

const wholeExample = {
  ...eventExample,
  payload: { receive_alert: { body: { host: 'web-1' } }, pick_the_host: eventExample.payload },
};

/** Endpoints of events (spec §5.8). */
export const eventRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: EVENTS,
    summary: 'List events, newest first',
    query: listQuery,
    // An event of a draft is one of another story.
    ignored: ['include_groups', 'story_mode'],
    docs: {
      tag: TAG,
      description:
        'Returns only the output of each event, unless `exclude_previous_event_payloads` is false. The payloads of a page are limited to 16 MiB in total: payloads beyond that are null, and their events `incomplete`. At most the newest 100,000 are counted and have a page number; for older ones, follow `next_page` or filter by `until_id` or `until`.',
      response: listSchema('events', eventSchema),
      example: {
        query: { story_id: eventExample.story_id, since_id: 800 },
        response: { events: [eventExample], meta: exampleMeta(EVENTS) },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { events }) {
      const { story_id: storyId, team_id: teamId, story_run_guid: storyRunGuid } = query;
      const agentIds = [query.agent_id, query.action_id].filter((id) => id !== undefined);
      const wanted = { ...eventFilterOf(query), storyId, teamId, agentIds, storyRunGuid };
      const page = await events.list(actor, wanted, windowOf(query));
      return { events: page.items.map(presentEvent), meta: pageMeta(request, query, page) };
    },
  }),

  defineRoute<IdParams, GetQuery, unknown, Services>({
    method: 'get',
    path: `${EVENTS}/:id`,
    summary: 'Get an event with the full input of its receivers',
    params: idParams,
    query: getQuery,
    docs: {
      tag: TAG,
      description:
        '`payload` has one key for each upstream action, oldest first, and one for the event itself. Payloads deleted by retention, or beyond 32 MiB, are omitted, and the event is `incomplete`.',
      response: eventSchema,
      example: { params: { id: eventExample.id }, response: wholeExample },
      errors: [404, 422],
    },
    async handle({ actor, params, query }, { events }) {
      if (query.exclude_previous_event_payloads) {
        return presentEvent(await events.getOwnOutput(actor, params.id));
      }
      return presentEvent(await events.get(actor, params.id));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'post',
    path: `${EVENTS}/:id/reemit`,
    summary: 'Emit an event again',
    status: 201,
    params: idParams,
    audit: 'event.reemit',
    docs: {
      tag: TAG,
      description:
        'Creates a new event in the same run, with the same payload and upstream events, and delivers it to the current receivers of the action. Not possible while the story or action is disabled, or in a cancelled run.',
      response: eventSchema,
      example: { params: { id: eventExample.id }, response: { ...wholeExample, id: 829 } },
      errors: [403, 404, 409],
    },
    async handle({ actor, params }, { events }) {
      return presentEvent(await events.reemit(actor, params.id));
    },
  }),
];
