import Joi from 'joi';
import { type AnyRoute, defineRoute } from '../../api/face.js';
import { nameField } from '../../people/face.js';
import { idField, idParams, type IdParams } from '../../platform/http/address/path-id.js';
import { type MergeBody, mergeKeys, missingReasonProblems, wishOf } from '../drafts/routes/merge-body.js';
import { presentPublished, publishedExample, publishedSchema } from '../drafts/routes/merge-routes.js';
import { type Problem, Unprocessable } from '../../platform/errors.js';
import { isFaulty, type Usable } from '../../platform/validation/partial-input.js';
import { LIMITS } from '../import/import-limits.js';
import { presentRequestView, requestViewExample, requestViewSchema } from './change-request-presenter.js';
import type { ChangeRequestService } from './change-request-service.js';

interface Services {
  changeRequests: ChangeRequestService;
}

interface NewBody {
  draft_id?: number | null;
  title?: string | null;
  description?: string | null;
}

interface IdBody {
  change_request_id: number;
}

interface PromoteBody extends IdBody, MergeBody {
  delete_draft: boolean;
  bypass_approval: boolean;
  bypass_approval_reason?: string | null;
}

const PATH = '/api/v1/stories/:id/change_request';
const params = { id: requestViewExample.id };
const change_request_id = requestViewExample.change_request.id;
const idBody = Joi.object<IdBody>({ change_request_id: idField.required() });
const ERRORS = [400, 403, 404, 409, 415, 422] as const;

/** A bypass and an overwriting promotion need their reasons. */
function reasonProblems(body: Usable<PromoteBody>): Problem[] {
  const problems = missingReasonProblems(body);
  const { bypass_approval: bypasses, bypass_approval_reason: reason } = body;
  if (bypasses !== true || isFaulty(body, 'bypass_approval_reason') || (reason ?? '') !== '') return problems;
  const message = '"bypass_approval_reason" is required with bypass_approval';
  return [...problems, { message, details: 'bypass_approval_reason' }];
}

/** Approve and cancel differ in their names and in what the service does. */
function decideRoute(
  word: 'approve' | 'cancel',
  described: { summary: string; description: string },
): AnyRoute<Services> {
  const { summary, description } = described;
  return defineRoute<IdParams, unknown, IdBody, Services>({
    method: 'post',
    path: `${PATH}/${word}`,
    summary,
    params: idParams,
    body: idBody,
    ignored: ['draft_id'],
    audit: `change_request.${word}`,
    docs: {
      tag: 'Change requests',
      operationId: `${word}ChangeRequest`,
      description,
      response: requestViewSchema,
      example: { params, body: { change_request_id }, response: requestViewExample },
      errors: ERRORS,
    },
    check: ({ actor, params, body }, { changeRequests }) =>
      word === 'approve'
        ? changeRequests.checkApprove(actor, params.id, body.change_request_id)
        : changeRequests.check(actor, params.id),
    handle: async ({ actor, params, body }, { changeRequests }) =>
      presentRequestView(await changeRequests[word](actor, params.id, body.change_request_id)),
  });
}

/** Endpoints of change requests (spec §3.19). */
export const changeRequestRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, NewBody, Services>({
    method: 'post',
    path: PATH,
    summary: 'Create a change request',
    params: idParams,
    body: Joi.object<NewBody>({
      draft_id: idField.allow(null).description('Defaults to the only draft of the story'),
      title: nameField
        .allow(null)
        .description('Name of the change and of the resulting version; defaults to the name of the draft'),
      description: Joi.string().allow('', null).max(LIMITS.descriptionBytes, 'utf8'),
    }),
    audit: 'change_request.create',
    docs: {
      tag: 'Change requests',
      operationId: 'createChangeRequest',
      description: 'A draft can have at most one open request.',
      response: requestViewSchema,
      example: {
        params,
        body: { draft_id: requestViewExample.draft_id, title: requestViewExample.change_request.title },
        response: requestViewExample,
      },
      errors: ERRORS,
    },
    check: ({ actor, params }, { changeRequests }) => changeRequests.check(actor, params.id),
    async handle({ actor, params, body }, { changeRequests }) {
      const { title, description = null, draft_id: draftId } = body;
      const request = { title: title ?? undefined, description, draftId: draftId ?? undefined };
      return presentRequestView(await changeRequests.create(actor, params.id, request));
    },
  }),

  defineRoute<IdParams, { draft_id?: number }, unknown, Services>({
    method: 'get',
    path: `${PATH}/view`,
    summary: 'Get the open change request of a draft',
    params: idParams,
    query: Joi.object<{ draft_id?: number }>({
      draft_id: idField.description('Defaults to the draft of the newest request'),
    }),
    docs: {
      tag: 'Change requests',
      operationId: 'getChangeRequest',
      description: '`change_request` is null if there is none; at most 2,000 differences are listed.',
      response: requestViewSchema,
      example: { params, query: { draft_id: requestViewExample.draft_id }, response: requestViewExample },
      errors: [404, 422],
    },
    handle: async ({ actor, params, query }, { changeRequests }) =>
      presentRequestView(await changeRequests.view(actor, params.id, query.draft_id)),
  }),

  decideRoute('approve', {
    summary: 'Approve a change request',
    description:
      'Approves the current draft against the current live story; if either changes, it must be approved again. The approver must be a different user than the requester and the last editor of the draft, and must use a personal key.',
  }),

  decideRoute('cancel', {
    summary: 'Cancel a change request',
    description: 'The draft is kept; `change_request` in the response is null.',
  }),

  defineRoute<IdParams, unknown, PromoteBody, Services>({
    method: 'post',
    path: `${PATH}/promote`,
    summary: 'Promote an approved change request',
    params: idParams,
    body: Joi.object<PromoteBody>({
      change_request_id: idField.required(),
      delete_draft: Joi.boolean().default(true).description('Whether to delete the draft'),
      bypass_approval: Joi.boolean().default(false).description('Promote without approval; for team admins'),
      bypass_approval_reason: Joi.string()
        .trim()
        .max(2_000)
        .allow('', null)
        .description('Required with bypass_approval; it is kept'),
      ...mergeKeys,
    }),
    ignored: ['draft_id'],
    audit: 'change_request.promote',
    docs: {
      tag: 'Change requests',
      operationId: 'promoteChangeRequest',
      description:
        'Publishes the draft like `publish`, also under change control, as a version named after the title. 409 if the draft or the live story was changed after the approval. `overwrite` is for team admins.',
      response: publishedSchema,
      example: { params, body: { change_request_id }, response: publishedExample },
      errors: [...ERRORS, 412],
    },
    async check({ actor, params, body }, { changeRequests }) {
      await changeRequests.check(actor, params.id);
      return reasonProblems(body);
    },
    async handle({ actor, params, body }, { changeRequests }) {
      const problems = reasonProblems(body);
      if (problems.length > 0) throw new Unprocessable(problems);
      const { change_request_id: id, delete_draft: deleteDraft, bypass_approval: bypasses } = body;
      const bypassReason = bypasses ? (body.bypass_approval_reason ?? '') : undefined;
      const promotion = { id, deleteDraft, bypassReason, wish: wishOf(body) };
      return presentPublished(await changeRequests.promote(actor, params.id, promotion));
    },
  }),
];
