import Joi from 'joi';
import { exampleMeta, listSchema } from '../../api/answer-schema.js';
import { type PageQuery, pageMeta, windowOf } from '../../api/page-meta.js';
import { idField, type IdParams, idParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { exampleLinkedCase } from '../case-examples.js';
import { presentLinkedCase } from '../case-presenter.js';
import { linkedCaseSchema } from '../case-schemas.js';
import type { LinkedCaseService } from './linked-case-service.js';
import { CASE_PATH, type PartParams, partParams, partQuery } from './part-params.js';

interface Services {
  cases: { links: LinkedCaseService };
}

const TAG = 'Linked cases';
const LINKED = `${CASE_PATH}/linked_cases`;

/** Links between cases (spec §7.4). */
export const linkedCaseRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: LINKED,
    summary: 'List the cases linked to a case',
    params: idParams,
    query: partQuery,
    docs: {
      tag: TAG,
      response: listSchema('linked_cases', linkedCaseSchema),
      example: {
        params: { id: 42 },
        response: { linked_cases: [exampleLinkedCase], meta: exampleMeta('/api/v2/cases/42/linked_cases') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { cases }) {
      const { items, total } = await cases.links.list(actor, params.id, windowOf(query));
      return { linked_cases: items.map(presentLinkedCase), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<IdParams, unknown, { id: number }, Services>({
    method: 'post',
    path: LINKED,
    summary: 'Link another case to a case',
    status: 201,
    params: idParams,
    body: Joi.object<{ id: number }>({ id: idField.required() }),
    audit: 'case_link.create',
    docs: {
      tag: TAG,
      description:
        'The link appears in both cases, and needs the right to write both. The response is the other case.',
      response: linkedCaseSchema,
      example: { params: { id: 42 }, body: { id: 40 }, response: exampleLinkedCase },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params, body }, { cases }) => cases.links.check(actor, params.id, body.id),
    async handle({ actor, params, body }, { cases }) {
      return presentLinkedCase(await cases.links.add(actor, params.id, body.id));
    },
  }),

  defineRoute<PartParams<'linked_case_id'>, unknown, unknown, Services>({
    method: 'delete',
    path: `${LINKED}/:linked_case_id`,
    summary: 'Remove a link between cases',
    status: 204,
    params: partParams('linked_case_id'),
    audit: 'case_link.delete',
    docs: { tag: TAG, example: { params: { id: 42, linked_case_id: 40 } }, errors: [403, 404] },
    handle: ({ actor, params }, { cases }) => cases.links.remove(actor, params.id, params.linked_case_id),
  }),
];
