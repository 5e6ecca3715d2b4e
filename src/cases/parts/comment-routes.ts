import Joi from 'joi';
import { crudRoutes } from '../../api/crud-routes.js';
import { exampleMeta, listSchema } from '../../api/response-schema.js';
import { type PageQuery, pageKeys, pageMeta, windowOf } from '../../api/page-meta.js';
import { type IdParams, idParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import type { CaseActivity } from '../case.js';
import { exampleCase, exampleComment } from '../case-examples.js';
import { emailField, longText } from '../case-input.js';
import { presentActivity } from '../case-presenter.js';
import { activitySchema } from '../case-schemas.js';
import type { CommentBody, CommentService } from './comment-service.js';
import { CASE_PATH, type PartParams, partPlaces } from './part-params.js';

interface Services {
  cases: { comments: CommentService };
}

interface ActivityQuery extends PageQuery {
  activity_type?: string;
}

const TAG = 'Case comments';
const value = longText.required().description('Markdown; `<@user-12>` mentions the user 12');

const routes = crudRoutes<Services, CaseActivity, IdParams, PartParams<'comment_id'>>({
  tag: TAG,
  ...partPlaces('comments', 'comment_id', exampleComment.id),
  response: activitySchema,
  example: exampleComment,
  present: presentActivity,
});

/** Keys of a comment that clients send back with an update. */
const ECHOED = ['id', 'activity_type', 'user', 'created_at', 'acting_user', 'on_behalf_of'];

/** Comments and activities of a case (spec §7.4). */
export const commentRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, ActivityQuery, unknown, Services>({
    method: 'get',
    path: `${CASE_PATH}/activities`,
    summary: 'List the activities of a case, oldest first',
    params: idParams,
    query: Joi.object<ActivityQuery>({
      ...pageKeys,
      activity_type: Joi.string()
        .pattern(/^[A-Z_]{1,64}$/, 'capital letters and _')
        .description('Only activities of this type'),
    }),
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
      const { items, total } = await cases.comments.activities(
        actor,
        { caseId: params.id, type: query.activity_type },
        windowOf(query),
      );
      return { activities: items.map(presentActivity), meta: pageMeta(request, query, total) };
    },
  }),

  routes.list({
    summary: 'List the comments of a case, oldest first',
    plural: 'comments',
    handle: ({ actor, params, window }, { cases }) => cases.comments.list(actor, params.id, window),
  }),

  routes.create<CommentBody>({
    summary: 'Comment on a case',
    description:
      'As the user of the key, or on behalf of the user with `author_email`: then `acting_user` is the user of the key, and `on_behalf_of` the other one. Mentioned users get a mail.',
    body: Joi.object<CommentBody>({ value, author_email: emailField.allow('', null) }),
    exampleBody: { value: exampleComment.value, author_email: 'ada@example.com' },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case_comment.create',
    check: ({ actor, params, body }, { cases }) => cases.comments.checkAdd(actor, params.id, body),
    handle: ({ actor, params, body }, { cases }) => cases.comments.add(actor, params.id, body),
  }),

  routes.get({
    summary: 'Get a comment of a case',
    handle: ({ actor, params }, { cases }) => cases.comments.get(actor, params.id, params.comment_id),
  }),

  ...routes.update<{ value: string }>({
    summary: 'Update a comment of a case',
    ignored: ECHOED,
    body: Joi.object<{ value: string }>({ value }),
    exampleBody: { value: exampleComment.value },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case_comment.update',
    check: ({ actor, params }, { cases }) => cases.comments.checkUpdate(actor, params.id, params.comment_id),
    handle: ({ actor, params, body }, { cases }) =>
      cases.comments.update(actor, params.id, params.comment_id, body.value),
  }),

  routes.delete({
    summary: 'Delete a comment of a case',
    description: 'Its text is deleted; the activity DELETED_COMMENT records that there was a comment.',
    audit: 'case_comment.delete',
    handle: ({ actor, params }, { cases }) => cases.comments.remove(actor, params.id, params.comment_id),
  }),
];
