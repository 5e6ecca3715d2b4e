import Joi from 'joi';
import { type AnyRoute, crudRoutes } from '../../../api/face.js';
import { type IdParams } from '../../../platform/http/address/path-id.js';
import type { CaseActivity } from '../case.js';
import { exampleComment } from '../view/case-examples.js';
import { emailField, longText } from '../case-input.js';
import { presentCaseActivity } from '../view/case-presenter.js';
import { activitySchema } from '../view/case-schemas.js';
import type { CommentBody, CommentService } from './comment-service.js';
import { type PartParams, partPlaces } from './part-params.js';

interface Services {
  cases: { comments: CommentService };
}

const TAG = 'Case comments';
const value = longText.required().description('Markdown; `<@user-12>` mentions the user 12');

const routes = crudRoutes<Services, CaseActivity, IdParams, PartParams<'comment_id'>>({
  tag: TAG,
  ...partPlaces('comments', 'comment_id', exampleComment.id),
  response: activitySchema,
  example: exampleComment,
  present: presentCaseActivity,
});

/** Keys of a comment that clients send back with an update. */
const ECHOED = ['id', 'activity_type', 'user', 'created_at', 'acting_user', 'on_behalf_of'];

/** Comments of a case (spec §7.4). */
export const commentRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List the comments of a case, oldest first',
    description: 'Each comment is the activity with its text. Deleted comments are not listed.',
    plural: 'comments',
    handle: ({ actor, params, window }, { cases }) => cases.comments.list(actor, params.id, window),
  }),

  routes.create<CommentBody>({
    summary: 'Comment on a case',
    description:
      'The author is the user of the key. With `author_email`, the comment is on behalf of that user: `acting_user` is the user of the key, `on_behalf_of` the author. Mentioned users get a mail.',
    body: Joi.object<CommentBody>({ value, author_email: emailField.allow('', null) }),
    exampleBody: { value: exampleComment.value, author_email: 'ada@example.com' },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case_comment.create',
    check: ({ actor, params, body }, { cases }) => cases.comments.checkAdd(actor, params.id, body),
    handle: ({ actor, params, body }, { cases }) => cases.comments.add(actor, params.id, body),
  }),

  routes.get({
    summary: 'Get a comment of a case',
    description: 'The activity with the text of the comment. Other activities return 404.',
    handle: ({ actor, params }, { cases }) => cases.comments.get(actor, params.id, params.comment_id),
  }),

  ...routes.update<{ value: string }>({
    summary: 'Update a comment of a case',
    description: 'Replaces the text of the comment. Its author and time are unchanged.',
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
