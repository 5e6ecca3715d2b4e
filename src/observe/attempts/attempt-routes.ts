import Joi from 'joi';
import {
  type AnyRoute,
  defineRoute,
  exampleMeta,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  windowOf,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { type RunParams, runParams } from '../runs/run-params.js';
import { attemptExample, attemptSchema, presentWholeAttempt } from './attempt-presenter.js';
import type { AttemptService } from './attempt-service.js';
import { presentRunActions, runActionsExample, runActionsSchema } from './run-action-presenter.js';

interface Services {
  attempts: AttemptService;
}

interface ListQuery extends PageQuery {
  agent_id?: number;
  event_id?: number;
  delivery_id?: number;
}

const RUN = '/api/v1/stories/:id/runs/:guid';
const EXAMPLE = { id: 12, guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57' };
/** Each may have 32 KiB of texts. */
const MOST_PER_PAGE = 100;

/** The failed attempts of a run, and what its actions did (spec §5.7). */
export const attemptRoutes: AnyRoute<Services>[] = [
  defineRoute<RunParams, ListQuery, unknown, Services>({
    method: 'get',
    path: `${RUN}/attempts`,
    summary: 'List the failed attempts of a run, oldest first',
    params: runParams,
    query: Joi.object<ListQuery>({
      ...pageKeys,
      per_page: pageKeys.per_page.max(MOST_PER_PAGE),
      agent_id: idField.description('Attempts of this action'),
      event_id: idField.description('Attempts to process this event'),
      delivery_id: idField.description('Attempts of this step, such as the id of a dead letter'),
    }),
    ignored: ['story_mode', 'draft_id'],
    docs: {
      tag: 'Runs',
      operationId: 'listStoryRunAttempts',
      description:
        'Each with the last request that it sent and the response to it. Includes attempts of steps that succeeded later. Of the attempts of a step, the first and the last nine keep request and response. At most 10,000 are listed: narrow the list of a larger run by `agent_id` or `delivery_id`.',
      response: listSchema('attempts', attemptSchema),
      example: {
        params: EXAMPLE,
        query: { delivery_id: attemptExample.delivery_id },
        response: {
          attempts: [attemptExample],
          meta: exampleMeta(`/api/v1/stories/${EXAMPLE.id}/runs/${EXAMPLE.guid}/attempts`),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, params: { id: storyId, guid }, query, request }, { attempts }) {
      const { agent_id: agentId, event_id: eventId, delivery_id: deliveryId } = query;
      const filter = { guid, agentId, eventId, deliveryId };
      const page = await attempts.ofRun(actor, { storyId, filter }, windowOf(query));
      return { attempts: page.items.map(presentWholeAttempt), meta: pageMeta(request, query, page) };
    },
  }),

  defineRoute<RunParams, unknown, unknown, Services>({
    method: 'get',
    path: `${RUN}/actions`,
    summary: 'Count what the actions of a run did',
    params: runParams,
    ignored: ['story_mode', 'draft_id'],
    docs: {
      tag: 'Runs',
      operationId: 'countStoryRunActions',
      description:
        'For each action of the run: events, dead letters, open deliveries, and how long it worked. Actions that the run did not reach are missing.',
      response: runActionsSchema,
      example: { params: EXAMPLE, response: runActionsExample },
      errors: [404],
    },
    async handle({ actor, params: { id: storyId, guid } }, { attempts }) {
      return presentRunActions(await attempts.actionsOf(actor, { storyId, guid }));
    },
  }),
];
