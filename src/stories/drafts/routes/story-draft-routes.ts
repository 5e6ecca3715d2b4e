import Joi from 'joi';
import { type AnyRoute, crudRoutes } from '../../../api/face.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { draftExample, draftSchema, presentDraft } from './draft-presenter.js';
import { nameBody, NO_DESCRIPTION, OF_STORY, DRAFT_READ_ONLY } from './draft-routes.js';
import type { DraftPlace, DraftService } from '../draft-service.js';
import type { DraftRecord } from '../draft-store.js';
import { compareRoute } from './compare-routes.js';
import { publishRoute, updateRoute } from './merge-routes.js';

interface Services {
  drafts: DraftService;
}

/** The ids in the path of a draft below its story. */
export interface StoryDraftParams {
  id: number;
  draft_id: number;
}

/** The place of a draft below its story. */
export const STORY_DRAFT = {
  path: `${OF_STORY}/:draft_id`,
  params: Joi.object<StoryDraftParams>({ id: idField.required(), draft_id: idField.required() }),
  example: { id: draftExample.story_id, draft_id: draftExample.id },
};

/** Returns the draft that a path names, with its story. */
export function draftPlaceOf({ id, draft_id }: StoryDraftParams): DraftPlace {
  return { id: draft_id, storyId: id };
}

const routes = crudRoutes<Services, DraftRecord, unknown, StoryDraftParams>({
  tag: 'Drafts',
  list: { path: OF_STORY },
  item: STORY_DRAFT,
  response: draftSchema,
  example: draftExample,
  present: presentDraft,
});

/** Endpoints of a draft below its story: the same as by its own id (spec §3.17). */
export const storyDraftRoutes: AnyRoute<Services>[] = [
  routes.get({
    summary: 'Get a draft of a story',
    description: 'Same as `GET /api/v1/drafts/{id}`. Drafts of other stories return 404.',
    handle: ({ actor, params }, { drafts }) => drafts.get(actor, draftPlaceOf(params)),
  }),

  ...routes.update<{ name: string }>({
    summary: 'Rename a draft of a story',
    description: 'Same as `PUT /api/v1/drafts/{id}`: changes the name of the draft, not of the story.',
    body: nameBody,
    exampleBody: { name: draftExample.name },
    errors: [400, 403, 404, 415, 422],
    ignored: DRAFT_READ_ONLY,
    unsupported: NO_DESCRIPTION,
    audit: 'draft.update',
    check: ({ actor, params }, { drafts }) => drafts.check(actor, draftPlaceOf(params)),
    handle: ({ actor, params, body }, { drafts }) => drafts.rename(actor, draftPlaceOf(params), body.name),
  }),

  routes.delete({
    summary: 'Delete a draft of a story',
    description: 'Also deletes its waiting work. The live story is unchanged.',
    audit: 'draft.delete',
    handle: ({ actor, params }, { drafts }) => drafts.delete(actor, draftPlaceOf(params)),
  }),

  compareRoute({ ...STORY_DRAFT, operationId: 'compareStoryDraft' }, draftPlaceOf),
  publishRoute(STORY_DRAFT, draftPlaceOf),
  updateRoute({ ...STORY_DRAFT, operationId: 'bringStoryDraftUpToDate' }, draftPlaceOf),
];
