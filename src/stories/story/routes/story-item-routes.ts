import Joi from 'joi';
import { type Problem, Unprocessable } from '../../../platform/errors.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { type AnyRoute, crudRoutes, defineRoute, placesOf, taggedResponse } from '../../../api/face.js';
import { idField, idParams, type IdParams } from '../../../platform/http/address/path-id.js';
import { nameField } from '../../../people/face.js';
import type { DraftService } from '../../drafts/draft-service.js';
import { type SettingsBody, settingsFields, settingsRequestIn } from '../../settings/settings-fields.js';
import type { StoryView } from '../../settings/story-view.js';
import { type Changed, tagAfter } from '../../edit/story-version.js';
import type { StoryChange } from '../../edit/story-change.js';
import { STORY_READ_ONLY, storyFields } from './story-create-routes.js';
import { presentStoryActivity, presentStory } from './story-presenter.js';
import { activeStorySchema, OWNER_TYPES, storyExample, storySchema } from './story-schemas.js';
import type { StoryService } from '../story-service.js';

interface Services {
  stories: Pick<StoryService, 'get' | 'activity' | 'update' | 'checkUpdate' | 'disable' | 'delete'>;
  drafts: Pick<DraftService, 'storyIdOf'>;
}

interface GetQuery {
  story_mode?: 'LIVE' | 'TEST';
  draft_id?: number;
  include_live_activity: boolean;
}

interface StoryBody extends SettingsBody {
  draft_id?: number | null;
  name?: string;
  description?: string | null;
  keep_events_for?: number;
  disabled?: boolean;
  priority?: boolean;
  locked?: boolean;
  change_control_enabled?: boolean;
  synchronous_webhooks_enabled?: boolean;
  webhook_api_enabled?: boolean;
  folder_id?: number | null;
  team_id?: number;
  owner?: { type: 'USER' | 'TEAM'; id: number } | null;
}

const storyBody = Joi.object<StoryBody>({
  name: nameField,
  ...storyFields,
  locked: Joi.boolean().description('Whether its actions, links and notes cannot be changed'),
  change_control_enabled: Joi.boolean().description(
    'Whether they only change through promoted change requests',
  ),
  synchronous_webhooks_enabled: Joi.boolean(),
  webhook_api_enabled: Joi.boolean().description('Alias of `synchronous_webhooks_enabled`'),
  folder_id: idField.allow(null).description('null for no folder'),
  team_id: idField.description('Moving to another team removes the story from its folder'),
  owner: Joi.object({
    type: Joi.string()
      .valid(...OWNER_TYPES)
      .required()
      .description('A user or a team'),
    id: idField.required(),
    name: Joi.any().description('No effect'),
  })
    .allow(null)
    .description('User or team to ask about it'),
  draft_id: idField.allow(null).description('Changes this draft instead of the story'),
  ...settingsFields,
});

const example = storyExample;

const routes = crudRoutes<Services, StoryView & Changed>({
  tag: 'Stories',
  ...placesOf('/api/v1/stories', example.id),
  response: storySchema,
  example,
  present: (story) => taggedResponse(presentStory(story), tagAfter(story)),
});

/** Endpoints of one story (spec §3.10). */
export const storyItemRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, GetQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories/:id',
    summary: 'Get a story',
    params: idParams,
    query: Joi.object<GetQuery>({
      include_live_activity: Joi.boolean().default(false).description('Adds waiting and failed counts'),
      story_mode: Joi.string().valid('LIVE', 'TEST').description('No effect; use `draft_id` for drafts'),
      draft_id: idField.description('The draft instead of the story'),
    }),
    docs: {
      description:
        'Includes its settings and the ids of its entry and exit actions. For actions and links, see `graph` and `export`.',
      tag: 'Stories',
      response: activeStorySchema,
      example: { params: { id: example.id }, response: example },
      errors: [404, 422],
    },
    async handle({ actor, params, query }, { stories, drafts }) {
      const id = await drafts.storyIdOf(actor, { storyId: params.id, draftId: query.draft_id });
      const story = presentStory(await stories.get(actor, id));
      if (!query.include_live_activity) return story;
      return { ...story, ...presentStoryActivity(await stories.activity(actor, id)) };
    },
  }),

  ...routes.update<StoryBody>({
    summary: 'Update a story',
    description:
      'Changes the given fields. While a story is disabled, its webhooks respond 404 and its pending events wait. They continue when it is enabled again.',
    body: storyBody,
    exampleBody: { disabled: true },
    exampleResponse: { ...example, disabled: true },
    errors: [400, 403, 404, 415, 422],
    honoursIfMatch: true,
    audit: 'story.update',
    ignored: STORY_READ_ONLY,
    check: async ({ actor, params, body }, { stories }) => [
      ...ownerProblems(body),
      ...(await stories.checkUpdate(actor, params.id, { place: body, settings: settingsRequestIn(body) })),
    ],
    async handle({ actor, params, body, request }, { stories, drafts }) {
      const problems = ownerProblems(body);
      if (problems.length > 0) throw new Unprocessable(problems);
      const id = await drafts.storyIdOf(actor, { storyId: params.id, draftId: body.draft_id });
      return stories.update(actor, { id, ifMatch: request.ifMatch }, changeIn(body));
    },
  }),

  defineRoute<IdParams, unknown, { disabled?: boolean | null }, Services>({
    method: 'post',
    path: '/api/v1/stories/:id/disable',
    summary: 'Disable or enable a story',
    params: idParams,
    body: Joi.object({ disabled: Joi.boolean().allow(null).description('Toggles if absent') }),
    honoursIfMatch: true,
    audit: 'story.disable',
    docs: {
      tag: 'Stories',
      operationId: 'disableStory',
      description:
        'A disabled story accepts no events: its webhooks respond 404, and waiting work is paused.',
      response: storySchema,
      example: {
        params: { id: example.id },
        body: { disabled: true },
        response: { ...example, disabled: true },
      },
      errors: [400, 403, 404, 415, 422],
    },
    check: async ({ actor, params }, { stories }) =>
      stories.checkUpdate(actor, params.id, { place: {}, settings: {} }),
    async handle({ actor, params, body, request }, { stories }) {
      const asked = { id: params.id, ifMatch: request.ifMatch };
      const story = await stories.disable(actor, asked, body.disabled ?? undefined);
      return taggedResponse(presentStory(story), tagAfter(story));
    },
  }),

  routes.delete({
    summary: 'Delete a story',
    description:
      'Deletes its actions, its webhooks and its pending and failed deliveries. Its events are deleted when their retention ends.',
    honoursIfMatch: true,
    audit: 'story.delete',
    handle: ({ actor, params, request }, { stories }) =>
      stories.delete(actor, { id: params.id, ifMatch: request.ifMatch }),
  }),
];

/** A draft has no owner of its own. */
function ownerProblems({ owner, draft_id: draftId }: Usable<StoryBody>): Problem[] {
  if ((owner ?? null) === null || (draftId ?? null) === null) return [];
  return [{ message: '"owner" is not supported here: a draft has the owner of its story', details: 'owner' }];
}

function changeIn(body: StoryBody): StoryChange {
  return {
    name: body.name,
    description: body.description,
    keepEventsForSeconds: body.keep_events_for,
    disabled: body.disabled,
    priority: body.priority,
    locked: body.locked,
    changeControlEnabled: body.change_control_enabled,
    synchronousWebhooksEnabled: body.webhook_api_enabled ?? body.synchronous_webhooks_enabled,
    folderId: body.folder_id,
    teamId: body.team_id,
    ...(body.owner !== undefined && ownerColumns(body.owner)),
    settings: settingsRequestIn(body),
  };
}

/** A story has one owner: a person in place of a team, and the other way round. */
function ownerColumns(owner: NonNullable<StoryBody['owner']> | null) {
  return {
    ownerUserId: owner?.type === 'USER' ? owner.id : null,
    ownerTeamId: owner?.type === 'TEAM' ? owner.id : null,
  };
}
