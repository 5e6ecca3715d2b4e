import Joi from 'joi';
import {
  type AnyRoute,
  component,
  cursorKey,
  defineRoute,
  exampleMeta,
  idSchema,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  responseSchema,
  type RouteDefinition,
  windowOf,
} from '../../api/face.js';
import { type IdParams, idParams } from '../../platform/http/address/path-id.js';
import type { DeadLetter } from './dead-letter.js';
import { MAX_AT_ONCE } from './dead-letter-params.js';
import { deadLetterExample } from './dead-letter-presenter.js';
import type { DeadLetterService } from './dead-letter-service.js';

interface Services {
  deadLetters: DeadLetterService;
}

/** All dead letters, or those of one action. */
interface Place<Params> {
  list: string;
  drop: string;
  params?: Joi.ObjectSchema<Params>;
  example: Record<string, number>;
  /** In operationIds. */
  noun: string;
  of: string;
  agentIds(params: Params): number[];
}

const TAG = 'Dead letters';

const deadJobSchema = component(
  'DeadJob',
  responseSchema({
    id: idSchema.description('The id of the dead letter'),
    type: Joi.string()
      .valid('AgentReceiveJob')
      .description('Always the same value: an action receives an event'),
    agent: responseSchema({
      id: idSchema.description('The id of the action'),
      name: Joi.string().allow('', null).description('null if the action was deleted'),
    }).description('The action that failed'),
    events: idSchema.allow(null).description('The event that it processed; null for the first of the run'),
    retry_count: Joi.number().integer().min(0).description('Attempts after the first'),
    last_retry: Joi.number().description('When the last attempt failed, as a Unix timestamp'),
    error_class: Joi.string().allow('', null).description('Text of the last error'),
  }),
);

function presentDeadJob({ id, agentId, agentName, eventId, attempts, failedAt, error }: DeadLetter) {
  return {
    id,
    type: 'AgentReceiveJob',
    agent: { id: agentId, name: agentName },
    events: eventId,
    retry_count: Math.max(0, attempts - 1),
    last_retry: failedAt.getTime() / 1000,
    error_class: error,
  };
}

const deadJobExample = {
  id: deadLetterExample.id,
  type: 'AgentReceiveJob',
  agent: { id: deadLetterExample.agent_id, name: deadLetterExample.agent_name },
  events: deadLetterExample.event_id,
  retry_count: 9,
  last_retry: 1795257727,
  error_class: deadLetterExample.error,
};

const everywhere: Place<unknown> = {
  list: '/api/v1/admin/dead_jobs',
  drop: '/api/v1/admin/delete_all_dead_jobs',
  example: {},
  noun: 'DeadJobs',
  of: 'of every team that you can',
  agentIds: () => [],
};

const ofAction: Place<IdParams> = {
  list: '/api/v1/admin/actions/:id/dead_jobs',
  drop: '/api/v1/admin/actions/:id/delete_all_dead_jobs',
  params: idParams,
  example: { id: deadLetterExample.agent_id },
  noun: 'ActionDeadJobs',
  of: 'of an action that you can',
  agentIds: ({ id }) => [id],
};

/** The parts that both routes of a place have. */
function shared<Params>({
  params,
}: Place<Params>): Pick<RouteDefinition<Params, unknown, unknown, Services>, 'params'> {
  return params === undefined ? {} : { params };
}

function listRoute<Params>(place: Place<Params>): AnyRoute<Services> {
  const { list, example, noun, of } = place;
  return defineRoute<Params, PageQuery, unknown, Services>({
    ...shared(place),
    method: 'get',
    path: list,
    summary: `List dead letters ${of} see (public client format)`,
    query: Joi.object<PageQuery>({ ...pageKeys, ...cursorKey('time') }),
    docs: {
      tag: TAG,
      operationId: `list${noun}`,
      description: 'Same as `GET /api/v1/dead_letters`, which returns more details.',
      response: listSchema('admin/dead_jobs', deadJobSchema),
      example: {
        params: example,
        response: {
          'admin/dead_jobs': [deadJobExample],
          meta: exampleMeta(list.replace(':id', String(example['id']))),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { deadLetters }) {
      const page = await deadLetters.list(actor, { agentIds: place.agentIds(params) }, windowOf(query));
      return { 'admin/dead_jobs': page.items.map(presentDeadJob), meta: pageMeta(request, query, page) };
    },
  });
}

function dropRoute<Params>(place: Place<Params>): AnyRoute<Services> {
  const { drop, example, noun, of } = place;
  return defineRoute<Params, unknown, unknown, Services>({
    ...shared(place),
    method: 'delete',
    path: drop,
    summary: `Drop dead letters ${of} change (public client format)`,
    audit: 'dead_letter.drop_many',
    docs: {
      tag: TAG,
      operationId: `dropAll${noun}`,
      description:
        'Same as `POST /api/v1/dead_letters/drop`: at most the oldest 10,000 per request. Repeat while `remaining` is not 0.',
      response: responseSchema({
        dropped: Joi.number().integer().description('Number of dropped deliveries'),
        remaining: Joi.number().integer().description('Remaining for the next request'),
      }),
      example: { params: example, response: { dropped: 412, remaining: 0 } },
      errors: [403, 404],
    },
    async handle({ actor, params }, { deadLetters }) {
      const query = { agentIds: place.agentIds(params) };
      const { done, remaining } = await deadLetters.dropMany(actor, query, MAX_AT_ONCE);
      return { dropped: done, remaining };
    },
  });
}

/** Dead letters under the names of public clients (spec §2.6). */
export const deadJobRoutes: AnyRoute<Services>[] = [
  listRoute(everywhere),
  dropRoute(everywhere),
  listRoute(ofAction),
  dropRoute(ofAction),
];
