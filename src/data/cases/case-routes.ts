import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  cursorKey,
  cursorOnlyIf,
  defineRoute,
  exampleMeta,
  ListResponse,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  placesOf,
  windowOf,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import type { JsonObject } from '../../platform/json.js';
import type { CasePriority, CaseStatus, CaseView } from './case.js';
import { exampleCase } from './view/case-examples.js';
import {
  type CreateCaseBody,
  createCaseBody,
  emailField,
  priorityField,
  statusField,
  type UpdateCaseBody,
  updateCaseBody,
} from './case-input.js';
import { presentCase } from './view/case-presenter.js';
import { caseSchema } from './view/case-schemas.js';
import type { CaseServices } from './case-services.js';
import { CASE_ORDERS, type CaseOrder } from './case-store.js';
import { activityRoutes } from './parts/activity-routes.js';
import { assigneeRoutes } from './parts/assignee-routes.js';
import { batchRoutes } from './parts/batch-routes.js';
import { caseActionRoutes } from './parts/case-action-routes.js';
import { caseRecordRoutes } from './parts/links/case-record-routes.js';
import { commentRoutes } from './parts/comment-routes.js';
import { conditionRoutes } from './parts/condition-routes.js';
import { linkedCaseRoutes } from './parts/links/linked-case-routes.js';
import { metadataRoutes } from './parts/metadata-routes.js';
import { subscriberRoutes } from './notifications/subscriber-routes.js';

interface Services {
  cases: Pick<CaseServices, 'cases'>;
}

interface CaseFilters {
  status?: CaseStatus;
  priority?: CasePriority;
}

interface ListQuery extends PageQuery, CaseFilters {
  team_id?: number;
  filters?: CaseFilters;
  search?: string;
  tag?: string;
  assignee_email?: string;
  order: string;
}

const CASES = '/api/v2/cases';
const TAG = 'Cases';
const NEWEST_FIRST = 'CREATED_AT_DESC';
const orders = CASE_ORDERS.flatMap((by) => [`${by}_ASC`, `${by}_DESC`]);
/** Orders under the names of public clients. */
const OTHER_ORDERS: Readonly<Record<string, string>> = {
  CREATED_ASC: 'CREATED_AT_ASC',
  CREATED_DESC: 'CREATED_AT_DESC',
  OPENED_ASC: 'OPENED_AT_ASC',
  OPENED_DESC: 'OPENED_AT_DESC',
  RECENTLY_EDITED: 'UPDATED_AT_DESC',
  LEAST_RECENTLY_EDITED: 'UPDATED_AT_ASC',
};
const NEWEST_ORDERS = [
  NEWEST_FIRST,
  'DESC',
  ...Object.keys(OTHER_ORDERS).filter((name) => OTHER_ORDERS[name] === NEWEST_FIRST),
];
const filterKeys = { status: statusField, priority: priorityField };

const listQuery = Joi.object<ListQuery>({
  team_id: idField,
  ...filterKeys,
  filters: Joi.object<CaseFilters>(filterKeys).description('`status` and `priority`, as an object'),
  search: Joi.string().allow('').max(255).description('Part of the name or description; case-insensitive'),
  tag: Joi.string().trim().max(255).description('Name of a tag'),
  assignee_email: emailField.description('Email address of an assignee'),
  order: Joi.string()
    .valid(...orders, 'ASC', 'DESC', ...Object.keys(OTHER_ORDERS))
    .insensitive()
    .default(NEWEST_FIRST)
    .description('`ASC` and `DESC` alone sort by creation time'),
  ...pageKeys,
  cursor: cursorOnlyIf(cursorKey('time').cursor, 'order', Joi.valid(...NEWEST_ORDERS)),
});

function orderOf(name: string): CaseOrder {
  const text = OTHER_ORDERS[name] ?? name;
  const by = CASE_ORDERS.find((column) => text.startsWith(column)) ?? 'CREATED_AT';
  return { by, direction: text.endsWith('DESC') ? 'DESC' : 'ASC' };
}

async function* presented(views: AsyncIterable<CaseView>, baseUrl: string): AsyncGenerator<JsonObject> {
  for await (const view of views) yield presentCase(view, baseUrl);
}

const routes = crudRoutes<Services, CaseView>({
  tag: TAG,
  ...placesOf(CASES, exampleCase.case_id),
  response: caseSchema,
  example: exampleCase,
  present: (view, { baseUrl }) => presentCase(view, baseUrl),
});

/** Keys of a case that clients send back with an update. */
const ECHOED = [
  'case_id',
  'url',
  'author',
  'opened_by',
  'resolved_by',
  'assignees',
  'tags',
  'activities',
  'activities_meta',
  'team',
  'actions',
  'linked_cases',
  'records',
  'records_meta',
  'created_at',
  'updated_at',
  'acting_user',
  'on_behalf_of',
];

const ownRoutes: AnyRoute<Services>[] = [
  routes.create<CreateCaseBody>({
    summary: 'Create a case',
    description: 'Without assignees, the case is assigned to the user of the key. Missing tags are created.',
    body: createCaseBody,
    exampleBody: {
      team_id: 2,
      name: 'Phishing mail to finance',
      description: 'Reported by <@user-7>',
      priority: 'high',
      tag_names: ['phishing'],
      metadata: { reporter: 'finance', mails: 3 },
      closure_conditions: [{ name: 'Has a verdict', formula: 'team_case.metadata.verdict' }],
    },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case.create',
    check: ({ actor, body }, { cases }) => cases.cases.checkCreate(actor, body),
    handle: ({ actor, body, request: { baseUrl } }, { cases }) =>
      cases.cases.create({ actor, baseUrl }, body),
  }),

  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: CASES,
    summary: 'List cases, newest first',
    query: listQuery,
    docs: {
      description:
        'Complete cases with their first activities and records, from the teams that the key can access. All filters must match; `search` matches name and description.',
      tag: TAG,
      response: listSchema('cases', caseSchema),
      example: {
        query: { team_id: 2, status: 'open', order: 'PRIORITY_DESC' },
        response: { cases: [exampleCase], meta: exampleMeta(CASES) },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { cases }) {
      const { team_id: teamId, filters, search, tag, assignee_email: assigneeEmail, order } = query;
      const { status = filters?.status, priority = filters?.priority } = query;
      const asked = { teamId, status, priority, search, tag, assigneeEmail, order: orderOf(order) };
      const { items, ...page } = await cases.cases.list(actor, asked, windowOf(query));
      return new ListResponse('cases', presented(items, request.baseUrl), pageMeta(request, query, page));
    },
  }),

  routes.get({
    summary: 'Get a case',
    description:
      'Includes its first 20 activities and records; their `_meta` has the URLs of the next pages.',
    handle: ({ actor, params }, { cases }) => cases.cases.get(actor, params.id),
  }),

  ...routes.update<UpdateCaseBody>({
    summary: 'Update a case',
    description:
      'Changes the fields in the body: null leaves a field unchanged, an empty text clears it. Closing checks every closure condition.',
    ignored: ECHOED,
    body: updateCaseBody,
    exampleBody: { priority: 'high', add_tag_names: ['phishing'], author_email: 'ada@example.com' },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case.update',
    check: ({ actor, params, body }, { cases }) => cases.cases.checkUpdate(actor, params.id, body),
    handle: ({ actor, params, body, request: { baseUrl } }, { cases }) =>
      cases.cases.update({ actor, baseUrl }, params.id, body),
  }),

  routes.delete({
    summary: 'Delete a case',
    description: 'Also deletes its comments, activities, links and subscriptions. Its records are kept.',
    audit: 'case.delete',
    handle: ({ actor, params }, { cases }) => cases.cases.remove(actor, params.id),
  }),
];

/** Endpoints of cases and of their parts (spec §7). */
export const caseRoutes: readonly AnyRoute<{ cases: CaseServices }>[] = [
  ...ownRoutes,
  // Before the routes of one part: `batch` is no id.
  ...batchRoutes,
  ...activityRoutes,
  ...assigneeRoutes,
  ...commentRoutes,
  ...conditionRoutes,
  ...metadataRoutes,
  ...caseRecordRoutes,
  ...linkedCaseRoutes,
  ...caseActionRoutes,
  ...subscriberRoutes,
];
