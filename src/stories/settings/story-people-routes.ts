import Joi from 'joi';
import {
  type AnyRoute,
  component,
  defineRoute,
  exampleMeta,
  idSchema,
  listSchema,
  type Method,
  pageKeys,
  pageMeta,
  type PageQuery,
  responseSchema,
  type RouteInput,
  windowOf,
} from '../../api/face.js';
import { idField, idParams, type IdParams } from '../../platform/http/address/path-id.js';
import { draftField } from '../agents/write/agent-body.js';
import type { DraftService } from '../drafts/draft-service.js';
import type { PendingAction } from '../agents/pending-action-store.js';
import { addressField } from './recipient-field.js';
import type { StoryView } from './story-view.js';
import { presentStory } from '../story/routes/story-presenter.js';
import { storyExample, storySchema } from '../story/routes/story-schemas.js';
import type { StoryService } from '../story/story-service.js';

interface Services {
  stories: Pick<StoryService, 'people' | 'pendingActions' | 'checkUpdate'>;
  drafts: Pick<DraftService, 'storyIdOf'>;
}

interface PendingQuery extends PageQuery {
  search?: string;
}

interface PartRoute<Body> {
  method: Method;
  part: 'recipients' | 'owners';
  summary: string;
  operationId: string;
  body: Joi.ObjectSchema;
  audit: string;
  exampleBody: Body;
  exampleResponse: object;
  errors: number[];
  handle(input: RouteInput<IdParams, unknown, Body>, services: Services): Promise<StoryView>;
}

/** Declares a write on one list of people; it answers the story. */
function partRoute<Body>({ method, part, body, ...route }: PartRoute<Body>): AnyRoute<Services> {
  return defineRoute<IdParams, unknown, Body, Services>({
    method,
    path: `/api/v1/stories/:id/${part}`,
    summary: route.summary,
    params: idParams,
    body,
    unsupported: part === 'owners' ? { draft_id: 'a draft has the owners of its story' } : {},
    audit: route.audit,
    docs: {
      tag: 'Stories',
      operationId: route.operationId,
      description: 'Returns the story.',
      response: storySchema,
      example: {
        params: { id: storyExample.id },
        body: route.exampleBody,
        response: { ...storyExample, ...route.exampleResponse },
      },
      errors: [400, 403, 404, 415, 422, ...route.errors],
    },
    check: ({ actor, params }, { stories }) =>
      stories.checkUpdate(actor, params.id, { place: {}, settings: {} }),
    handle: async (input, services) => presentStory(await route.handle(input, services)),
  });
}

interface AddressBody {
  address: string;
  draft_id?: number | null;
}

interface NewRecipientBody extends AddressBody {
  secret?: string;
}

const address = {
  address: addressField.required().description('Mail address, or HTTP or HTTPS address'),
  draft_id: draftField,
};
const newRecipient = Joi.object({
  ...address,
  secret: Joi.string()
    .min(16)
    .max(255)
    .description('Secret that signs requests to an HTTP or HTTPS address; unsigned by default'),
}).without('secret', 'draft_id');
const user = Joi.object({ user_id: idField.required().description('The id of a user') });
const soc = 'soc@example.com';

const pendingExample = {
  id: 31,
  name: 'Pick the host',
  type: 'Agents::EventTransformationAgent',
  guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
  story_id: storyExample.id,
  pending_action_runs_count: 5,
};
const pendingSchema = component(
  'PendingAction',
  responseSchema({
    id: idSchema,
    name: Joi.string().allow(''),
    type: Joi.string().description('The kind of action'),
    guid: Joi.string().hex().length(32),
    story_id: idSchema,
    pending_action_runs_count: Joi.number().integer().description('Waiting deliveries'),
  }),
);

/** Endpoints of the people who care for a story, and of what waits in it (spec §3.10). */
export const storyPeopleRoutes: AnyRoute<Services>[] = [
  partRoute<NewRecipientBody>({
    method: 'post',
    part: 'recipients',
    summary: 'Add a recipient of failure notices',
    operationId: 'addStoryRecipient',
    body: newRecipient,
    audit: 'story.add_recipient',
    exampleBody: { address: soc },
    exampleResponse: { recipients: [soc] },
    errors: [409],
    handle: async ({ actor, params, body }, { stories, drafts }) => {
      const id = await drafts.storyIdOf(actor, { storyId: params.id, draftId: body.draft_id });
      return stories.people.addRecipient(actor, id, body);
    },
  }),
  partRoute<AddressBody>({
    method: 'delete',
    part: 'recipients',
    summary: 'Remove a recipient of failure notices',
    operationId: 'removeStoryRecipient',
    body: Joi.object(address),
    audit: 'story.remove_recipient',
    exampleBody: { address: soc },
    exampleResponse: {},
    errors: [],
    handle: async ({ actor, params, body }, { stories, drafts }) => {
      const id = await drafts.storyIdOf(actor, { storyId: params.id, draftId: body.draft_id });
      return stories.people.removeRecipient(actor, id, body.address);
    },
  }),
  partRoute<{ user_id: number }>({
    method: 'post',
    part: 'owners',
    summary: 'Add an owner of a story',
    operationId: 'addStoryOwner',
    body: user,
    audit: 'story.add_owner',
    exampleBody: { user_id: 3 },
    exampleResponse: { owners: [3] },
    errors: [409],
    handle: ({ actor, params, body }, { stories }) => stories.people.addOwner(actor, params.id, body.user_id),
  }),
  partRoute<{ user_id: number }>({
    method: 'delete',
    part: 'owners',
    summary: 'Remove an owner of a story',
    operationId: 'removeStoryOwner',
    body: user,
    audit: 'story.remove_owner',
    exampleBody: { user_id: 3 },
    exampleResponse: { owners: [] },
    errors: [],
    handle: ({ actor, params, body }, { stories }) =>
      stories.people.removeOwner(actor, params.id, body.user_id),
  }),

  defineRoute<IdParams, PendingQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories/:id/pending_actions',
    summary: 'List the actions of a story with waiting work',
    params: idParams,
    query: Joi.object<PendingQuery>({ search: Joi.string().max(255), ...pageKeys }),
    ignored: ['story_mode'],
    unsupported: { draft_id: 'use the draft as the story' },
    docs: {
      tag: 'Stories',
      operationId: 'listPendingActions',
      description:
        'Actions with the most waiting work first; based on the first 100,000 deliveries of the server.',
      response: listSchema('pending_actions', pendingSchema),
      example: {
        params: { id: storyExample.id },
        response: {
          pending_actions: [pendingExample],
          meta: exampleMeta(`/api/v1/stories/${storyExample.id}/pending_actions`),
        },
      },
      errors: [404, 422],
    },
    async handle({ actor, params, query, request }, { stories }) {
      const { search } = query;
      const { items, total } = await stories.pendingActions(actor, params.id, {
        search,
        window: windowOf(query),
      });
      return { pending_actions: items.map(presentPending), meta: pageMeta(request, query, { total }) };
    },
  }),
];

function presentPending({ storyId, pendingActionRuns, ...action }: PendingAction) {
  return { ...action, story_id: storyId, pending_action_runs_count: pendingActionRuns };
}
