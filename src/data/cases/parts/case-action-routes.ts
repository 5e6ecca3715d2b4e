import Joi from 'joi';
import { type AnyRoute, crudRoutes } from '../../../api/face.js';
import { type IdParams } from '../../../platform/http/address/path-id.js';
import { nameField } from '../../../people/face.js';
import type { CaseAction } from '../case.js';
import { exampleAction } from '../view/case-examples.js';
import { presentAction } from '../view/case-presenter.js';
import { caseActionSchema } from '../view/case-schemas.js';
import {
  type ActionBody,
  type CaseActionService,
  type NewActionBody,
  requestedCaseAction,
} from './case-action-service.js';
import { type PartParams, partPlaces } from './part-params.js';

interface Services {
  cases: { actions: CaseActionService };
}

const { id: _id, ...exampleBody } = exampleAction;

/** Allows only addresses that a browser opens as a page: no `javascript:`. */
const url = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .max(2048);
const actionType = Joi.string()
  .pattern(/^\w{1,64}$/, 'letters, digits and _')
  .description('`page` is a link to open');

const actionText = Joi.string()
  .max(255)
  .allow('')
  .empty(null)
  .description('Text of the button; empty for none');

/** The body of a new action, and of each action of a batch. */
export const newAction = Joi.object<NewActionBody>({
  url: url.required(),
  label: nameField.required(),
  action_type: actionType.default('page'),
  action_text: actionText,
});
const changedAction = Joi.object<ActionBody>({
  url,
  label: nameField,
  action_type: actionType,
  action_text: actionText,
});

const routes = crudRoutes<Services, CaseAction, IdParams, PartParams<'action_id'>>({
  tag: 'Case actions',
  ...partPlaces('actions', 'action_id', exampleAction.id),
  response: caseActionSchema,
  example: exampleAction,
  present: presentAction,
});

/** Downstream actions of a case (spec §7.1). */
export const caseActionRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List the actions of a case',
    description: 'Links shown on the case page, in the order they were added.',
    plural: 'actions',
    handle: ({ actor, params, window }, { cases }) => cases.actions.list(actor, params.id, window),
  }),

  routes.get({
    summary: 'Get an action of a case',
    description: 'One link shown on the case page. `action_text` is the text of its button, if any.',
    handle: ({ actor, params }, { cases }) => cases.actions.get(actor, params.id, params.action_id),
  }),

  routes.create<NewActionBody>({
    summary: 'Add an action to a case',
    description: 'A labelled link for users who work on the case. The server does not call it.',
    ignored: ['id'],
    body: newAction,
    exampleBody: exampleBody,
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case_action.create',
    check: ({ actor, params }, { cases }) => cases.actions.checkAdd(actor, params.id),
    handle: ({ actor, params, body }, { cases }) =>
      cases.actions.add(actor, params.id, requestedCaseAction(body)),
  }),

  ...routes.update<ActionBody>({
    summary: 'Update an action of a case',
    description: 'Changes the given fields. An empty `action_text` removes the button text.',
    ignored: ['id'],
    body: changedAction,
    exampleBody: { label: exampleAction.label },
    errors: [400, 403, 404, 413, 415, 422],
    audit: 'case_action.update',
    check: ({ actor, params }, { cases }) => cases.actions.checkUpdate(actor, params.id, params.action_id),
    handle: ({ actor, params, body }, { cases }) =>
      cases.actions.update(actor, params.id, params.action_id, body),
  }),

  routes.delete({
    summary: 'Delete an action of a case',
    description: 'The case page no longer shows the link.',
    audit: 'case_action.delete',
    handle: ({ actor, params }, { cases }) => cases.actions.remove(actor, params.id, params.action_id),
  }),
];
