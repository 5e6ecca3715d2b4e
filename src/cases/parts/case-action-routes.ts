import Joi from 'joi';
import { exampleMeta, listSchema } from '../../api/answer-schema.js';
import { type PageQuery, pageMeta, windowOf } from '../../api/page-meta.js';
import { type IdParams, idParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { nameField } from '../../access/tenants/name-field.js';
import { exampleAction } from '../case-examples.js';
import { presentAction } from '../case-presenter.js';
import { caseActionSchema } from '../case-schemas.js';
import type { ActionBody, CaseActionService } from './case-action-service.js';
import { CASE_PATH, type PartParams, partParams, partQuery } from './part-params.js';

interface Services {
  cases: { actions: CaseActionService };
}

const TAG = 'Case actions';
const ACTIONS = `${CASE_PATH}/actions`;
const { id: _id, ...exampleBody } = exampleAction;

/** Allows only addresses that a browser opens as a page: no `javascript:`. */
const url = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .max(2048);
const actionType = Joi.string()
  .pattern(/^\w{1,64}$/, 'letters, digits and _')
  .description('`page` is a page to open');

const newAction = Joi.object<Required<ActionBody>>({
  url: url.required(),
  label: nameField.required(),
  action_type: actionType.default('page'),
});
const changedAction = Joi.object<ActionBody>({ url, label: nameField, action_type: actionType });

/** Downstream actions of a case (spec §7.1). */
export const caseActionRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, PageQuery, unknown, Services>({
    method: 'get',
    path: ACTIONS,
    summary: 'List the actions of a case',
    params: idParams,
    query: partQuery,
    docs: {
      tag: TAG,
      response: listSchema('actions', caseActionSchema),
      example: {
        params: { id: 42 },
        response: { actions: [exampleAction], meta: exampleMeta('/api/v2/cases/42/actions') },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { cases }) {
      const { items, total } = await cases.actions.list(actor, params.id, windowOf(query));
      return { actions: items.map(presentAction), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<IdParams, unknown, Required<ActionBody>, Services>({
    method: 'post',
    path: ACTIONS,
    summary: 'Add an action to a case',
    status: 201,
    params: idParams,
    body: newAction,
    audit: 'case_action.create',
    docs: {
      tag: TAG,
      response: caseActionSchema,
      example: { params: { id: 42 }, body: exampleBody, response: exampleAction },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params }, { cases }) => cases.actions.checkAdd(actor, params.id),
    async handle({ actor, params, body: { url, label, action_type } }, { cases }) {
      return presentAction(
        await cases.actions.add(actor, params.id, { url, label, actionType: action_type }),
      );
    },
  }),

  defineRoute<PartParams<'action_id'>, unknown, ActionBody, Services>({
    method: 'put',
    path: `${ACTIONS}/:action_id`,
    summary: 'Update an action of a case',
    params: partParams('action_id'),
    body: changedAction,
    audit: 'case_action.update',
    docs: {
      tag: TAG,
      response: caseActionSchema,
      example: {
        params: { id: 42, action_id: 31 },
        body: { label: exampleAction.label },
        response: exampleAction,
      },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params }, { cases }) => cases.actions.checkUpdate(actor, params.id, params.action_id),
    async handle({ actor, params, body }, { cases }) {
      return presentAction(await cases.actions.update(actor, params.id, params.action_id, body));
    },
  }),

  defineRoute<PartParams<'action_id'>, unknown, unknown, Services>({
    method: 'delete',
    path: `${ACTIONS}/:action_id`,
    summary: 'Delete an action of a case',
    status: 204,
    params: partParams('action_id'),
    audit: 'case_action.delete',
    docs: { tag: TAG, example: { params: { id: 42, action_id: 31 } }, errors: [403, 404] },
    handle: ({ actor, params }, { cases }) => cases.actions.remove(actor, params.id, params.action_id),
  }),
];
