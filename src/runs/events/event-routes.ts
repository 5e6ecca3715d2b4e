import Joi from 'joi';
import { exampleMeta, listSchema } from '../../api/answer-schema.js';
import { type PageQuery, pageKeys, pageMeta, windowOf } from '../../api/page-meta.js';
import { idField, type IdParams, idParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { eventExample, eventSchema, presentEvent } from './event-presenter.js';
import type { EventService } from './event-service.js';
import { runGuidField } from '../run-params.js';

interface Services {
  events: EventService;
}

interface ListQuery extends PageQuery {
  story_id?: number;
  agent_id?: number;
  action_id?: number;
  story_run_guid?: string;
  since_id?: number;
  until_id?: number;
  exclude_previous_event_payloads: boolean;
}

interface GetQuery {
  exclude_previous_event_payloads: boolean;
}

const EVENTS = '/api/v1/events';
const TAG = 'Events';

const listQuery = Joi.object<ListQuery>({
  story_id: idField,
  agent_id: idField,
  action_id: idField.description('The same as `agent_id`'),
  story_run_guid: runGuidField,
  since_id: idField.allow(0).description('Events after this one'),
  until_id: idField.description('Events up to this one, and this one'),
  exclude_previous_event_payloads: Joi.boolean()
    .default(true)
    .description('false: each event with all that its receivers see'),
  ...pageKeys,
});

const getQuery = Joi.object<GetQuery>({
  exclude_previous_event_payloads: Joi.boolean()
    .default(false)
    .description("true: the event's own output alone"),
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
    docs: {
      tag: TAG,
      description:
        'Each with its own output, unless `exclude_previous_event_payloads` is false. Payloads of one page are 16 MiB together at most: one that would be too much is null, and the event `incomplete`. At most the newest 100,000 are counted and listed: narrow the list by `until_id` to see older ones.',
      response: listSchema('events', eventSchema),
      example: {
        query: { story_id: eventExample.story_id, since_id: 800 },
        response: { events: [eventExample], meta: exampleMeta(EVENTS) },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { events }) {
      const { story_id: storyId, story_run_guid: storyRunGuid, since_id: sinceId, until_id: untilId } = query;
      const agentIds = [query.agent_id, query.action_id].filter((id) => id !== undefined);
      const cumulative = !query.exclude_previous_event_payloads;
      const wanted = { storyId, agentIds, storyRunGuid, sinceId, untilId, cumulative };
      const { items, total } = await events.list(actor, wanted, windowOf(query));
      return { events: items.map(presentEvent), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<IdParams, GetQuery, unknown, Services>({
    method: 'get',
    path: `${EVENTS}/:id`,
    summary: 'Get an event with all that its receivers see',
    params: idParams,
    query: getQuery,
    docs: {
      tag: TAG,
      description:
        '`payload` has one key for each upstream action that led here, oldest first, and the event’s own. What retention has taken is an absent key, and the event is `incomplete`; so is what goes beyond 32 MiB.',
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
    summary: 'Emit an event once more',
    status: 201,
    params: idParams,
    audit: 'event.reemit',
    docs: {
      tag: TAG,
      description:
        'A new event of the same run, with the same payload and the same past, goes to those who receive from the action now. Not while story or action is disabled, and not in a run that was cancelled.',
      response: eventSchema,
      example: { params: { id: eventExample.id }, response: { ...wholeExample, id: 829 } },
      errors: [403, 404, 409],
    },
    async handle({ actor, params }, { events }) {
      return presentEvent(await events.reemit(actor, params.id));
    },
  }),
];
