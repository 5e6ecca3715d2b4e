import Joi from 'joi';
import { type AnyRoute, crudRoutes, pageKeys, type PageQuery } from '../../../api/face.js';
import type { IdParams } from '../../../platform/http/address/path-id.js';
import type { CaseActivity } from '../case.js';
import { exampleComment } from '../view/case-examples.js';
import { presentCaseActivity } from '../view/case-presenter.js';
import { activitySchema } from '../view/case-schemas.js';
import type { CommentService } from './comment-service.js';
import { type PartParams, partPlaces } from './part-params.js';

interface Services {
  cases: { comments: CommentService };
}

interface ActivityQuery extends PageQuery {
  activity_type?: string;
}

const routes = crudRoutes<Services, CaseActivity, IdParams, PartParams<'activity_id'>>({
  tag: 'Cases',
  ...partPlaces('activities', 'activity_id', exampleComment.id),
  response: activitySchema,
  example: exampleComment,
  present: presentCaseActivity,
});

/** Activities of a case (spec §7.5). */
export const activityRoutes: AnyRoute<Services>[] = [
  routes.list<ActivityQuery>({
    summary: 'List the activities of a case, oldest first',
    description: 'History of the case, with the acting users. `activity_type` filters by type.',
    plural: 'activities',
    query: Joi.object<ActivityQuery>({
      ...pageKeys,
      activity_type: Joi.string()
        .pattern(/^[A-Z_]{1,64}$/, 'capital letters and _')
        .description('Only activities of this type'),
    }),
    handle: ({ actor, params, query, window }, { cases }) =>
      cases.comments.activities(actor, { caseId: params.id, type: query.activity_type }, window),
  }),

  routes.get({
    summary: 'Get an activity of a case',
    description: 'One entry in the history of the case. Activities of other cases return 404.',
    handle: ({ actor, params }, { cases }) => cases.comments.activity(actor, params.id, params.activity_id),
  }),
];
