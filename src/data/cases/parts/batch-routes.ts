import Joi from 'joi';
import { type AnyRoute, defineRoute, idSchema, responseSchema } from '../../../api/face.js';
import { idField, type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import { CASE_LIMITS } from '../case.js';
import { exampleAction, exampleCase, exampleLinkedCase } from '../view/case-examples.js';
import { emailField } from '../case-input.js';
import { presentAction, presentLinkedCase } from '../view/case-presenter.js';
import { caseActionSchema, linkedCaseSchema } from '../view/case-schemas.js';
import { presentSubscriber, subscriberExample, subscriberKeys } from '../notifications/subscriber-routes.js';
import type { SubscriberService } from '../notifications/subscriber-service.js';
import { newAction } from './case-action-routes.js';
import { type CaseActionService, type NewActionBody, requestedCaseAction } from './case-action-service.js';
import type { LinkedCaseService } from './links/linked-case-service.js';
import { CASE_PATH } from './part-params.js';

interface Services {
  cases: { actions: CaseActionService; links: LinkedCaseService; subscribers: SubscriberService };
}

/** Cases or users of one request: each costs some statements while the case is locked. */
const MOST = 50;

const errors = [400, 403, 404, 413, 415, 422];
const { id: _id, ...actionBody } = exampleAction;
const userExample = { ...subscriberExample, url: null, user: exampleCase.assignees[0] };

/** Clients send back what they read. */
const ECHOED = Joi.object({ id: Joi.any().strip() });

const actions = Joi.array()
  .items(newAction.concat(ECHOED))
  .max(CASE_LIMITS.actions)
  .required()
  .description('All actions of the case, in order');
const ids = Joi.array()
  .items(idField)
  .min(1)
  .max(MOST)
  .unique()
  .required()
  .description('Ids of cases to link');
const emails = Joi.array()
  .items(emailField)
  .min(1)
  .max(MOST)
  .required()
  .description('Email addresses of users');

/** Several parts of a case in one request: all of them, or none (spec §7.4). */
export const batchRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, { actions: NewActionBody[] }, Services>({
    method: 'put',
    path: `${CASE_PATH}/actions/batch`,
    summary: 'Replace the actions of a case',
    params: idParams,
    body: Joi.object({ actions }),
    audit: 'case_action.replace',
    docs: {
      tag: 'Case actions',
      operationId: 'replaceCaseActions',
      description:
        'Replaces all actions of the case; the new actions get new ids. An empty list deletes all.',
      response: responseSchema({
        case_id: idSchema,
        actions: Joi.array().items(caseActionSchema).description('The new actions'),
      }),
      example: {
        params: { id: 42 },
        body: { actions: [actionBody] },
        response: { case_id: 42, actions: [exampleAction] },
      },
      errors,
    },
    check: ({ actor, params }, { cases }) => cases.actions.checkReplace(actor, params.id),
    async handle({ actor, params, body }, { cases }) {
      const replaced = await cases.actions.replace(actor, params.id, body.actions.map(requestedCaseAction));
      return { case_id: params.id, actions: replaced.map(presentAction) };
    },
  }),

  defineRoute<IdParams, unknown, { ids: number[] }, Services>({
    method: 'post',
    path: `${CASE_PATH}/linked_cases/batch`,
    summary: 'Link several cases to a case',
    status: 201,
    params: idParams,
    body: Joi.object({ ids }),
    audit: 'case_link.create_batch',
    docs: {
      tag: 'Linked cases',
      operationId: 'linkCases',
      description: `At most ${MOST}. Existing links are kept. The response contains the cases of the request.`,
      response: responseSchema({
        case_id: idSchema,
        name: Joi.string(),
        linked_cases: Joi.array().items(linkedCaseSchema).description('Cases of the request'),
      }),
      example: {
        params: { id: 42 },
        body: { ids: [exampleLinkedCase.case_id] },
        response: { case_id: 42, name: exampleCase.name, linked_cases: [exampleLinkedCase] },
      },
      errors,
    },
    check: ({ actor, params, body }, { cases }) => cases.links.checkAll(actor, params.id, body.ids),
    async handle({ actor, params, body }, { cases }) {
      const { id, name, linked } = await cases.links.addAll(actor, params.id, body.ids);
      return { case_id: id, name, linked_cases: linked.map(presentLinkedCase) };
    },
  }),

  defineRoute<IdParams, unknown, { user_emails: string[] }, Services>({
    method: 'post',
    path: `${CASE_PATH}/subscribers/batch`,
    summary: 'Subscribe several users to a case',
    status: 201,
    params: idParams,
    body: Joi.object({ user_emails: emails }),
    audit: 'case_subscriber.create_batch',
    docs: {
      tag: 'Case subscribers',
      operationId: 'subscribeUsers',
      description: `At most ${MOST}. Existing subscribers are kept. The response contains the users of the request.`,
      response: responseSchema({
        case_id: idSchema,
        subscribers: Joi.array().items(responseSchema(subscriberKeys)).description('Users of the request'),
      }),
      example: {
        params: { id: 42 },
        body: { user_emails: ['ada@example.com'] },
        response: { case_id: 42, subscribers: [userExample] },
      },
      errors,
    },
    check: ({ actor, params, body }, { cases }) =>
      cases.subscribers.checkUsers(actor, params.id, body.user_emails),
    async handle({ actor, params, body }, { cases }) {
      const subscribers = await cases.subscribers.addUsers(actor, params.id, body.user_emails);
      return { case_id: params.id, subscribers: subscribers.map(presentSubscriber) };
    },
  }),
];
