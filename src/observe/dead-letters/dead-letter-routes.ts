import Joi from 'joi';
import { type AnyRoute, crudRoutes, defineRoute, placesOf, responseSchema } from '../../api/face.js';
import { type IdParams, idParams } from '../../platform/http/address/path-id.js';
import {
  deadLetterDrop,
  type DeadLetterFilter,
  deadLetterGroupQuery,
  type DeadLetterListQuery,
  deadLetterListQuery,
  type DeadLetterSelection,
  deadLetterSelection,
  deadLettersDrop,
  type DropReason,
  MAX_AT_ONCE,
  toDeadLetterQuery,
} from './dead-letter-params.js';
import {
  deadLetterExample,
  deadLetterSchema,
  letterDetailsExample,
  letterDetailsSchema,
  presentDeadLetter,
  presentLetterDetails,
} from './dead-letter-presenter.js';
import {
  deadLetterGroupsExample,
  deadLetterGroupsSchema,
  presentDeadLetterGroups,
} from './groups/dead-letter-group-presenter.js';
import type { DeadLetter } from './dead-letter.js';
import type { DeadLetterService } from './dead-letter-service.js';

interface Services {
  deadLetters: DeadLetterService;
}

const LETTERS = '/api/v1/dead_letters';
const LETTER = `${LETTERS}/:id`;
const TAG = 'Dead letters';

const count = Joi.number().integer();
const remaining = count.description(
  'Remaining, because one request handles at most `limit` or 10,000; counted up to 100,000',
);
const BOUND = 'At most the oldest 10,000 per request; repeat while `remaining` is not 0.';

const routes = crudRoutes<Services, DeadLetter>({
  tag: TAG,
  ...placesOf(LETTERS, deadLetterExample.id),
  response: deadLetterSchema,
  example: deadLetterExample,
  present: presentDeadLetter,
});

/** Endpoints of deliveries that failed for good. */
export const deadLetterRoutes: AnyRoute<Services>[] = [
  routes.list<DeadLetterListQuery>({
    summary: 'List dead letters, newest first',
    description:
      'Deliveries that failed permanently, each with its last error. At most the newest 100,000 are counted and have a page number; for older ones, follow `next_page` or filter by `until`.',
    plural: 'dead_letters',
    query: deadLetterListQuery,
    exampleQuery: { story_id: deadLetterExample.story_id, error: 'mail server' },
    handle: ({ actor, query, window }, { deadLetters }) =>
      deadLetters.list(actor, toDeadLetterQuery(query), window),
  }),

  defineRoute<unknown, DeadLetterFilter, unknown, Services>({
    method: 'get',
    path: `${LETTERS}/groups`,
    summary: 'Count dead letters by action and error type',
    query: deadLetterGroupQuery,
    docs: {
      tag: TAG,
      description:
        'Errors that differ only in ids, addresses, times, quoted text and numbers have the same type. Use `agent_id` and `error_kind` of a group to list, retry or drop its dead letters.',
      response: deadLetterGroupsSchema,
      example: { query: { story_id: deadLetterExample.story_id }, response: deadLetterGroupsExample },
      errors: [403, 404],
    },
    async handle({ actor, query }, { deadLetters }) {
      return presentDeadLetterGroups(await deadLetters.groups(actor, toDeadLetterQuery(query)));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: LETTER,
    summary: 'Get a dead letter',
    params: idParams,
    docs: {
      tag: TAG,
      description:
        'Includes its last error, the ids of its run, story and action, and its failed attempts with what they sent and received. Retried or dropped dead letters return 404.',
      response: letterDetailsSchema,
      example: { params: { id: deadLetterExample.id }, response: letterDetailsExample },
      errors: [404],
    },
    async handle({ actor, params }, { deadLetters }) {
      return presentLetterDetails(await deadLetters.details(actor, params.id));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'post',
    path: `${LETTER}/retry`,
    summary: 'Retry a dead letter',
    params: idParams,
    audit: 'dead_letter.retry',
    docs: {
      tag: TAG,
      description:
        'Its action processes the same event again, with the full number of attempts and a new idempotency key. Not possible in a cancelled run. If it fails permanently again, it becomes a dead letter with the same id.',
      response: deadLetterSchema,
      example: { params: { id: deadLetterExample.id }, response: { ...deadLetterExample, retries: 1 } },
      errors: [403, 404, 409],
    },
    async handle({ actor, params }, { deadLetters }) {
      return presentDeadLetter(await deadLetters.retry(actor, params.id));
    },
  }),

  defineRoute<unknown, unknown, DeadLetterSelection, Services>({
    method: 'post',
    path: `${LETTERS}/retry`,
    summary: 'Retry many dead letters',
    body: deadLetterSelection,
    audit: 'dead_letter.retry_many',
    docs: {
      tag: TAG,
      description: `Retries the dead letters that match the filter, or with \`all\` those of every team that you can write to, except in cancelled runs. ${BOUND} Deliveries that fail again in the meantime are retried by the next request, unless \`until\` excludes them.`,
      response: responseSchema({
        retried: count.description('Number of retried deliveries'),
        remaining,
      }),
      example: {
        body: { story_id: deadLetterExample.story_id, error: 'mail server' },
        response: { retried: 38, remaining: 0 },
      },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, body }, { deadLetters }) => deadLetters.checkSelection(actor, toDeadLetterQuery(body)),
    async handle({ actor, body }, { deadLetters }) {
      const { done, remaining: left } = await deadLetters.retryMany(
        actor,
        toDeadLetterQuery(body),
        body.limit ?? MAX_AT_ONCE,
      );
      return { retried: done, remaining: left };
    },
  }),

  defineRoute<IdParams, unknown, DropReason, Services>({
    method: 'delete',
    path: LETTER,
    summary: 'Drop a dead letter',
    status: 204,
    params: idParams,
    body: deadLetterDrop,
    audit: 'dead_letter.drop',
    docs: {
      description:
        'The delivery is discarded: its action never processes the event. `reason` is recorded in the audit log.',
      tag: TAG,
      example: { params: { id: deadLetterExample.id }, body: { reason: 'The order was sent by hand' } },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, params }, { deadLetters }) => deadLetters.checkDrop(actor, params.id),
    handle: ({ actor, params }, { deadLetters }) => deadLetters.drop(actor, params.id),
  }),

  defineRoute<unknown, unknown, DeadLetterSelection & DropReason, Services>({
    method: 'post',
    path: `${LETTERS}/drop`,
    summary: 'Drop many dead letters',
    body: deadLettersDrop,
    audit: 'dead_letter.drop_many',
    docs: {
      tag: TAG,
      description: `Drops the dead letters that match the filter, or with \`all\` those of every team that you can write to. ${BOUND}`,
      response: responseSchema({
        dropped: count.description('Number of dropped deliveries'),
        remaining,
      }),
      example: {
        body: { until: '2026-11-21T00:00:00Z', reason: 'The sandbox was switched off' },
        response: { dropped: 412, remaining: 0 },
      },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, body }, { deadLetters }) => deadLetters.checkSelection(actor, toDeadLetterQuery(body)),
    async handle({ actor, body }, { deadLetters }) {
      const { done, remaining: left } = await deadLetters.dropMany(
        actor,
        toDeadLetterQuery(body),
        body.limit ?? MAX_AT_ONCE,
      );
      return { dropped: done, remaining: left };
    },
  }),
];
