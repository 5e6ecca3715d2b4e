import {
  type AnyRoute,
  defineRoute,
  exampleMeta,
  listSchema,
  pageMeta,
  type PageQuery,
  windowOf,
} from '../../../api/face.js';
import { type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import { exampleCase } from '../view/case-examples.js';
import { presentUser } from '../view/case-presenter.js';
import { caseUserSchema } from '../view/case-schemas.js';
import type { AssigneeService } from './assignee-service.js';
import { CASE_PATH, partQuery } from './part-params.js';

interface Services {
  cases: { assignees: AssigneeService };
}

/** The users who work on a case (spec §7.4). */
export const assigneeRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: `${CASE_PATH}/assignees`,
    summary: 'List the assignees of a case',
    params: idParams,
    query: partQuery,
    docs: {
      tag: 'Cases',
      description: 'In the order of assignment. Change them by updating the case.',
      response: listSchema('assignees', caseUserSchema),
      example: {
        params: { id: 42 },
        response: { assignees: exampleCase.assignees, meta: exampleMeta('/api/v2/cases/42/assignees') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { cases }) {
      const { items, total } = await cases.assignees.list(actor, params.id, windowOf(query));
      return { assignees: items.map(presentUser), meta: pageMeta(request, query, { total }) };
    },
  }),
];
