import Joi from 'joi';
import { type AnyRoute, defineRoute } from '../../../api/face.js';
import { nameField } from '../../../people/face.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { ALLOWED_RETENTION } from '../../import/plan/retention.js';
import { LIMITS } from '../../import/import-limits.js';
import { tagList } from '../../settings/settings-fields.js';
import { DEFAULT_NAME } from '../create-story.js';
import { presentStory } from './story-presenter.js';
import { storyExample, storySchema } from './story-schemas.js';
import type { StoryService } from '../story-service.js';

interface Services {
  stories: Pick<StoryService, 'create' | 'checkCreate' | 'deleteMany' | 'checkDeleteMany'>;
}

interface CreateBody {
  team_id?: number | null;
  folder_id?: number | null;
  name?: string;
  description?: string | null;
  keep_events_for?: number;
  disabled?: boolean;
  priority?: boolean;
  tags?: string[];
}

/** The fields that creation and update of a story share. */
export const storyFields = {
  description: Joi.string().allow('', null).max(LIMITS.descriptionBytes, 'utf8'),
  keep_events_for: Joi.number()
    .valid(...ALLOWED_RETENTION)
    .description('Seconds'),
  disabled: Joi.boolean(),
  priority: Joi.boolean().description('Whether its events have priority over other stories'),
};

/** Keys of a response that clients send back; no request can set them. */
export const STORY_READ_ONLY =
  'id guid slug user_id owners mode published diagram_layout created_at updated_at edited_at story_mode include_live_activity pending_action_runs_count concurrent_runs_count not_working_actions_count tokens_used_percentage starts_by gallery_slug'.split(
    ' ',
  );

const MOST_AT_ONCE = 500;

/** Endpoints that make a story, and that delete several (spec §3.10). */
export const storyCreateRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, CreateBody, Services>({
    method: 'post',
    path: '/api/v1/stories',
    summary: 'Create a story',
    status: 201,
    body: Joi.object<CreateBody>({
      team_id: idField
        .allow(null)
        .description('Defaults to the team of the folder or key, or else your first team'),
      folder_id: idField.allow(null),
      name: nameField.default(DEFAULT_NAME),
      tags: tagList.description('Tag names'),
      ...storyFields,
    }),
    ignored: STORY_READ_ONLY,
    audit: 'story.create',
    docs: {
      tag: 'Stories',
      description: 'Creates a story without actions; its templates use formulas.',
      response: storySchema,
      example: { body: { team_id: 2, name: 'Alert triage' }, response: storyExample },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, body }, { stories }) => stories.checkCreate(actor, body),
    async handle({ actor, body }, { stories }) {
      const { keep_events_for: keepEventsForSeconds, name, description, disabled, priority, tags } = body;
      const story = { name, description, keepEventsForSeconds, disabled, priority, tags };
      return presentStory(await stories.create(actor, body, story));
    },
  }),

  defineRoute<unknown, unknown, { ids: number[] }, Services>({
    method: 'delete',
    path: '/api/v1/stories/batch',
    summary: 'Delete several stories',
    status: 204,
    body: Joi.object({
      ids: Joi.array()
        .items(idField)
        .single()
        .min(1)
        .max(MOST_AT_ONCE)
        .required()
        .description('Ids of stories'),
    }),
    audit: 'story.delete',
    docs: {
      tag: 'Stories',
      operationId: 'deleteStories',
      description: 'Atomic: if a story is unknown, the request fails and names it.',
      example: { body: { ids: [12, 13] } },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, body }, { stories }) => stories.checkDeleteMany(actor, body.ids ?? []),
    handle: ({ actor, body }, { stories }) => stories.deleteMany(actor, body.ids),
  }),
];
