import Joi from 'joi';
import { exampleMeta, listSchema } from '../../api/answer-schema.js';
import { type PageQuery, pageMeta, windowOf } from '../../api/page-meta.js';
import { type IdParams, idParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute, type Method } from '../../api/route.js';
import { exampleCase, exampleComment } from '../case-examples.js';
import { emailField, longText } from '../case-input.js';
import { presentActivity } from '../case-presenter.js';
import { activitySchema } from '../case-schemas.js';
import type { CommentBody, CommentService } from './comment-service.js';
import { CASE_PATH, type PartParams, partParams, partQuery } from './part-params.js';

interface Services {
  cases: { comments: CommentService };
}

const TAG = 'Case comments';
const COMMENTS = `${CASE_PATH}/comments`;
const COMMENT = `${COMMENTS}/:comment_id`;
const value = longText.required().description('Markdown; `<@user-12>` mentions the user 12');

function updateRoute(method: Method): AnyRoute<Services> {
  return defineRoute<PartParams<'comment_id'>, unknown, { value: string }, Services>({
    method,
    path: COMMENT,
    summary: 'Update a comment of a case',
    params: partParams('comment_id'),
    body: Joi.object<{ value: string }>({ value }),
    audit: 'case_comment.update',
    docs: {
      tag: TAG,
      response: activitySchema,
      example: {
        params: { id: 42, comment_id: 902 },
        body: { value: exampleComment.value },
        response: exampleComment,
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params }, { cases }) => cases.comments.checkUpdate(actor, params.id, params.comment_id),
    async handle({ actor, params, body }, { cases }) {
      return presentActivity(await cases.comments.update(actor, params.id, params.comment_id, body.value));
    },
  });
}

/** Comments and activities of a case (spec §7.4). */
export const commentRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: `${CASE_PATH}/activities`,
    summary: 'List the activities of a case, oldest first',
    params: idParams,
    query: partQuery,
    docs: {
      tag: 'Cases',
      response: listSchema('activities', activitySchema),
      example: {
        params: { id: 42 },
        response: { activities: exampleCase.activities, meta: exampleMeta('/api/v2/cases/42/activities') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { cases }) {
      const { items, total } = await cases.comments.activities(actor, params.id, windowOf(query));
      return { activities: items.map(presentActivity), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: COMMENTS,
    summary: 'List the comments of a case, oldest first',
    params: idParams,
    query: partQuery,
    docs: {
      tag: TAG,
      response: listSchema('comments', activitySchema),
      example: {
        params: { id: 42 },
        response: { comments: [exampleComment], meta: exampleMeta('/api/v2/cases/42/comments') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { cases }) {
      const { items, total } = await cases.comments.list(actor, params.id, windowOf(query));
      return { comments: items.map(presentActivity), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<IdParams, unknown, CommentBody, Services>({
    method: 'post',
    path: COMMENTS,
    summary: 'Comment on a case',
    status: 201,
    params: idParams,
    body: Joi.object<CommentBody>({ value, author_email: emailField.allow('', null) }),
    audit: 'case_comment.create',
    docs: {
      tag: TAG,
      description:
        'As the user of the key, or on behalf of the user with `author_email`: then `acting_user` is the user of the key, and `on_behalf_of` the other one. Mentioned users get a mail.',
      response: activitySchema,
      example: {
        params: { id: 42 },
        body: { value: exampleComment.value, author_email: 'ada@example.com' },
        response: exampleComment,
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params, body }, { cases }) => cases.comments.checkAdd(actor, params.id, body),
    async handle({ actor, params, body }, { cases }) {
      return presentActivity(await cases.comments.add(actor, params.id, body));
    },
  }),

  defineRoute<PartParams<'comment_id'>, unknown, unknown, Services>({
    method: 'get',
    path: COMMENT,
    summary: 'Get a comment of a case',
    params: partParams('comment_id'),
    docs: {
      tag: TAG,
      response: activitySchema,
      example: { params: { id: 42, comment_id: 902 }, response: exampleComment },
      errors: [404],
    },
    async handle({ actor, params }, { cases }) {
      return presentActivity(await cases.comments.get(actor, params.id, params.comment_id));
    },
  }),

  updateRoute('put'),
  updateRoute('patch'),

  defineRoute<PartParams<'comment_id'>, unknown, unknown, Services>({
    method: 'delete',
    path: COMMENT,
    summary: 'Delete a comment of a case',
    status: 204,
    params: partParams('comment_id'),
    audit: 'case_comment.delete',
    docs: {
      tag: TAG,
      description: 'Its text is deleted; the activity DELETED_COMMENT records that there was a comment.',
      example: { params: { id: 42, comment_id: 902 } },
      errors: [403, 404],
    },
    handle: ({ actor, params }, { cases }) => cases.comments.remove(actor, params.id, params.comment_id),
  }),
];
