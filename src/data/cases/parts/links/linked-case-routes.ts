import Joi from 'joi';
import { type AnyRoute, crudRoutes } from '../../../../api/face.js';
import { idField, type IdParams } from '../../../../platform/http/address/path-id.js';
import type { LinkedCase } from '../../case.js';
import { exampleLinkedCase } from '../../view/case-examples.js';
import { presentLinkedCase } from '../../view/case-presenter.js';
import { linkedCaseSchema } from '../../view/case-schemas.js';
import type { LinkedCaseService } from './linked-case-service.js';
import { type PartParams, partPlaces } from '../part-params.js';

interface Services {
  cases: { links: LinkedCaseService };
}

const routes = crudRoutes<Services, LinkedCase, IdParams, PartParams<'linked_case_id'>>({
  tag: 'Linked cases',
  ...partPlaces('linked_cases', 'linked_case_id', exampleLinkedCase.case_id),
  response: linkedCaseSchema,
  example: exampleLinkedCase,
  present: presentLinkedCase,
});

/** The other case, under one of two names. */
type LinkBody = { id: number; linked_case_id?: never } | { id?: never; linked_case_id: number };

/** Links between cases (spec §7.4). */
export const linkedCaseRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List the cases linked to a case',
    description: 'In the order they were linked. Excludes cases of teams that the key cannot access.',
    plural: 'linked_cases',
    handle: ({ actor, params, window }, { cases }) => cases.links.list(actor, params.id, window),
  }),

  routes.create<LinkBody>({
    summary: 'Link another case to a case',
    description:
      'The link appears in both cases and requires write access to both. The response is the other case.',
    body: Joi.object<LinkBody>({
      id: idField.description('The other case'),
      linked_case_id: idField.description('Same as `id`'),
    }).xor('id', 'linked_case_id'),
    exampleBody: { id: 40 },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case_link.create',
    check: ({ actor, params, body }, { cases }) =>
      cases.links.check(actor, params.id, body.id ?? body.linked_case_id),
    handle: ({ actor, params, body }, { cases }) =>
      cases.links.add(actor, params.id, body.id ?? body.linked_case_id),
  }),

  routes.delete({
    summary: 'Remove a link between cases',
    description: 'The link is removed from both cases; the cases are kept.',
    audit: 'case_link.delete',
    handle: ({ actor, params }, { cases }) => cases.links.remove(actor, params.id, params.linked_case_id),
  }),
];
