import Joi from 'joi';
import { type AnyRoute, crudRoutes, defineRoute } from '../../../api/face.js';
import { nameField } from '../../../people/face.js';
import { idParams, type IdParams } from '../../../platform/http/address/path-id.js';
import { draftExample, draftSchema, presentDraft } from './draft-presenter.js';
import type { DraftService } from '../draft-service.js';
import type { DraftRecord } from '../draft-store.js';
import { compareRoute } from './compare-routes.js';
import { publishRoute, updateRoute } from './merge-routes.js';

interface Services {
  drafts: DraftService;
}

export const OF_STORY = '/api/v1/stories/:id/drafts';
const DRAFTS = '/api/v1/drafts';
/** Public clients send these back. */
export const DRAFT_READ_ONLY =
  'id story_id team_id user_id guid mode base_version created_at updated_at'.split(' ');
const ITEM = { path: `${DRAFTS}/:id`, params: idParams, example: { id: draftExample.id } };
export const nameBody = Joi.object<{ name: string }>({ name: nameField.required() });

/** Clients describe drafts too. */
export const NO_DESCRIPTION = { description: 'a draft has a name only' };

const routes = crudRoutes<Services, DraftRecord, IdParams>({
  tag: 'Drafts',
  list: { path: OF_STORY, params: idParams, example: { id: draftExample.story_id } },
  item: ITEM,
  response: draftSchema,
  example: draftExample,
  present: presentDraft,
});

/** Endpoints of drafts (spec §3.17). */
export const draftRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List the drafts of a story',
    description: 'Oldest first.',
    plural: 'drafts',
    handle: ({ actor, params, window }, { drafts }) => drafts.list(actor, params.id, window),
  }),

  defineRoute<IdParams, unknown, { name: string }, Services>({
    method: 'post',
    path: OF_STORY,
    summary: 'Create a draft of a story',
    params: idParams,
    body: nameBody,
    unsupported: NO_DESCRIPTION,
    audit: 'draft.create',
    docs: {
      tag: 'Drafts',
      operationId: 'createDraft',
      description:
        'Copies the story. The draft is a separate story that is not included in story lists. It runs next to the live story, with its own webhook URLs and without schedules. Its id is the `draft_id` of other requests. A story can have at most 20 drafts.',
      response: draftSchema,
      example: { params: { id: 12 }, body: { name: draftExample.name }, response: draftExample },
      errors: [400, 403, 404, 409, 415, 422],
    },
    check: ({ actor, params }, { drafts }) => drafts.checkStory(actor, params.id),
    handle: async ({ actor, params, body }, { drafts }) =>
      presentDraft(await drafts.create(actor, params.id, body.name)),
  }),

  routes.get({
    summary: 'Get a draft',
    description: 'Its name, its live story and the live version it is based on. Its id is also a story id.',
    handle: ({ actor, params }, { drafts }) => drafts.get(actor, params),
  }),

  ...routes.update<{ name: string }>({
    summary: 'Rename a draft',
    description: 'Changes the name of the draft, not of the story.',
    body: nameBody,
    exampleBody: { name: draftExample.name },
    errors: [400, 403, 404, 415, 422],
    ignored: DRAFT_READ_ONLY,
    unsupported: NO_DESCRIPTION,
    audit: 'draft.update',
    check: ({ actor, params }, { drafts }) => drafts.check(actor, params),
    handle: ({ actor, params, body }, { drafts }) => drafts.rename(actor, params, body.name),
  }),

  routes.delete({
    summary: 'Delete a draft',
    description: 'Also deletes its waiting work. The story is unchanged.',
    audit: 'draft.delete',
    handle: ({ actor, params }, { drafts }) => drafts.delete(actor, { id: params.id }),
  }),

  compareRoute<IdParams>({ ...ITEM, operationId: 'compareDraft' }, ({ id }) => ({ id })),
  publishRoute<IdParams>(ITEM, ({ id }) => ({ id })),
  updateRoute<IdParams>({ ...ITEM, operationId: 'bringDraftUpToDate' }, ({ id }) => ({ id })),
];
