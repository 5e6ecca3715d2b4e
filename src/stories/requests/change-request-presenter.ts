import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { differencesSchema } from '../diff/diff-presenter.js';
import { storyExportSchema } from '../import/import-request.js';
import { exportExample } from '../story/routes/story-routes.js';
import { approvalFault } from './approval.js';
import type { ChangeRequest } from './change-request-store.js';
import type { RequestView } from './request-view.js';

/** A change request, with what it would change. */
export function presentRequestView(view: RequestView) {
  const { story, draft, request, diff } = view;
  const shown = request && presentRequest(request, view);
  return {
    id: story.id,
    draft_id: draft?.id ?? null,
    draft_name: draft?.name ?? null,
    status: shown?.status ?? null,
    change_request: shown === undefined ? null : { ...shown, story_diff: diff?.differences ?? [] },
    live_story_export: view.liveExport,
    draft_export: view.draftExport ?? null,
  };
}

/** A draft or a story that was changed after the approval needs another one: the request is pending again. */
function presentRequest(request: ChangeRequest, { draft, story, liveDigest }: RequestView) {
  const isApproved =
    draft !== undefined && approvalFault(request, { draft, live: story, liveDigest }) === undefined;
  return {
    id: request.id,
    name: request.title,
    title: request.title,
    description: request.description,
    status: isApproved ? 'APPROVED' : 'PENDING',
    user_id: request.userId,
    approved_by: isApproved ? request.approvedBy : null,
    created_at: timestamp(request.createdAt),
    updated_at: timestamp(request.updatedAt),
  };
}

const status = Joi.string()
  .valid('PENDING', 'APPROVED')
  .description('`APPROVED` until the draft or the live story changes');

const requestSchema = component(
  'ChangeRequest',
  responseSchema({
    id: idSchema,
    name: Joi.string().description('Same as title'),
    title: Joi.string().description('Name of the change and of the resulting version'),
    description: Joi.string().allow('', null),
    status,
    user_id: idSchema.description('The requester'),
    approved_by: idSchema
      .allow(null)
      .description('The approver of the current draft against the current live story; null if none'),
    created_at: timeSchema,
    updated_at: timeSchema,
    story_diff: differencesSchema.description('Changes from the live story to the draft'),
  }),
);

export const requestViewSchema = component(
  'ChangeRequestView',
  responseSchema({
    id: idSchema.description('The id of the story'),
    draft_id: idSchema.allow(null),
    draft_name: Joi.string().allow(null).description('The name of the draft'),
    status: status.allow(null).description('Draft of the request; null if there is none'),
    change_request: requestSchema.allow(null).description('The open request; null if there is none'),
    live_story_export: storyExportSchema.description('The live story'),
    draft_export: storyExportSchema.allow(null).description('The draft; null if none was given'),
  }),
);

/** A request for examples. */
export const requestViewExample = {
  id: 12,
  draft_id: 44,
  draft_name: 'Second opinion',
  status: 'PENDING',
  change_request: {
    id: 6,
    name: 'Ask a second model',
    title: 'Ask a second model',
    description: 'As agreed on Monday',
    status: 'PENDING',
    user_id: 3,
    approved_by: null,
    created_at: '2026-11-21T09:30:00Z',
    updated_at: '2026-11-21T09:30:00Z',
    story_diff: [],
  },
  live_story_export: exportExample,
  draft_export: exportExample,
};
