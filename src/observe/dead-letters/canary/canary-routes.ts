import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  cursorKey,
  defineRoute,
  pageKeys,
  type PageQuery,
  placesOf,
} from '../../../api/face.js';
import { idField, type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import {
  type DeadLetterSelection,
  filterKeys,
  limitField,
  MAX_AT_ONCE,
  toDeadLetterQuery,
} from '../dead-letter-params.js';
import { type Canary, KEPT_DAYS, MOST_AT_ONCE } from './canary.js';
import { canaryExample, canarySchema, presentCanary } from './canary-presenter.js';
import type { CanarySelection, CanaryService } from './canary-service.js';

interface Services {
  canaries: CanaryService;
}

interface ListQuery extends PageQuery {
  story_id?: number;
  agent_id?: number;
  error_kind?: string;
}

interface Body extends DeadLetterSelection {
  story_id: number;
}

const TAG = 'Dead letters';
const CANARIES = '/api/v1/dead_letters/canaries';

const routes = crudRoutes<Services, Canary>({
  tag: TAG,
  ...placesOf(CANARIES, canaryExample.id),
  response: canarySchema,
  example: canaryExample,
  present: presentCanary,
});

const query = Joi.object<ListQuery>({
  story_id: idField.description('Limited to this story'),
  agent_id: idField.description('Limited to this action'),
  error_kind: filterKeys.error_kind.description('Limited to this error type'),
  ...pageKeys,
  ...cursorKey('id'),
});

const body = Joi.object<Body>({
  ...filterKeys,
  story_id: idField.required(),
  limit: limitField,
});

const selectionOf = (given: Body): CanarySelection => ({
  ...toDeadLetterQuery(given),
  storyId: given.story_id,
});

/** Endpoints of retries that begin with few dead letters (notes/runs.md, Canary retries). */
export const canaryRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List canary retries, newest first',
    description: `Canary retries of dead letters, those that run included. Each is kept for ${KEPT_DAYS} days.`,
    plural: 'canaries',
    query,
    exampleQuery: { story_id: canaryExample.story_id },
    handle: ({ actor, query: asked, window }, { canaries }) =>
      canaries.list(
        actor,
        { storyId: asked.story_id, agentId: asked.agent_id, errorKind: asked.error_kind },
        window,
      ),
  }),

  routes.get({
    summary: 'Get a canary retry',
    description: 'Its progress while it runs, and its result afterwards.',
    handle: ({ actor, params }, { canaries }) => canaries.get(actor, params.id),
  }),

  routes.create<Body>({
    summary: 'Retry dead letters as a canary',
    description: `Retries the oldest matching dead letter of a story, then 10, then the rest, each stage after the last one ended. Stops if an attempt of the first 11 fails with the same kind of error, or if none of a stage succeeds. The server carries it out. Dead letters of another canary retry that runs, and of cancelled runs, are left out. At most ${MOST_AT_ONCE} may run per tenant.`,
    body,
    exampleBody: {
      story_id: canaryExample.story_id,
      agent_id: canaryExample.agent_id,
      error_kind: canaryExample.error_kind,
    },
    exampleResponse: {
      ...canaryExample,
      state: 'running',
      stage: 'first',
      waiting: 199,
      running: 1,
      passed: 0,
      failed: 0,
      ended_at: null,
    },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'canary.start',
    check: ({ actor, body: given }, { canaries }) => canaries.check(actor, toDeadLetterQuery(given)),
    handle: ({ actor, body: given }, { canaries }) =>
      canaries.start(actor, selectionOf(given), given.limit ?? MAX_AT_ONCE),
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'post',
    path: `${CANARIES}/:id/stop`,
    summary: 'Stop a canary retry',
    params: idParams,
    audit: 'canary.stop',
    docs: {
      tag: TAG,
      description:
        'No more dead letters are retried. Those that run end by themselves. Has no effect on one that stopped or ended.',
      response: canarySchema,
      example: {
        params: { id: canaryExample.id },
        response: {
          ...canaryExample,
          state: 'stopped',
          stage: 'ten',
          waiting: 189,
          running: 3,
          passed: 8,
          failed: 0,
          stop_reason: 'by_hand',
          stopped_by: canaryExample.started_by,
          stopped_at: '2026-11-21T11:30:04Z',
          ended_at: null,
        },
      },
      errors: [403, 404],
    },
    check: ({ actor, params }, { canaries }) => canaries.checkStop(actor, params.id),
    async handle({ actor, params }, { canaries }) {
      return presentCanary(await canaries.stop(actor, params.id));
    },
  }),
];
