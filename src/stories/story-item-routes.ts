import Joi from 'joi';
import { answerSchema } from '../api/answer-schema.js';
import { idField, idParams, type IdParams } from '../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../api/route.js';
import { nameField } from '../access/tenants/name-field.js';
import { LIMITS } from './import/import-limits.js';
import { ALLOWED_RETENTION } from './import/retention.js';
import type { StoryColumns } from './story-change-store.js';
import { presentStory } from './story-presenter.js';
import { storyExample, storyKeys } from './story-routes.js';
import type { StoryService } from './story-service.js';

interface Services {
  stories: Pick<StoryService, 'get' | 'update' | 'checkUpdate' | 'delete'>;
}

interface StoryBody {
  name?: string;
  description?: string | null;
  keep_events_for?: number;
  disabled?: boolean;
  priority?: boolean;
  synchronous_webhooks_enabled?: boolean;
  folder_id?: number | null;
  team_id?: number;
}

const storyBody = Joi.object<StoryBody>({
  name: nameField,
  description: Joi.string().allow('', null).max(LIMITS.descriptionBytes, 'utf8'),
  keep_events_for: Joi.number()
    .valid(...ALLOWED_RETENTION)
    .description('Seconds'),
  disabled: Joi.boolean(),
  priority: Joi.boolean(),
  synchronous_webhooks_enabled: Joi.boolean(),
  folder_id: idField.allow(null).description('null: in no folder'),
  team_id: idField.description('Another team: the story leaves its folder'),
});

const wholeStory = answerSchema({ ...storyKeys, synchronous_webhooks_enabled: Joi.boolean() });
const example = { ...storyExample, synchronous_webhooks_enabled: false };

/** Endpoints of one story (spec §3.10). */
export const storyItemRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories/:id',
    summary: 'Get a story',
    params: idParams,
    docs: {
      tag: 'Stories',
      response: wholeStory,
      example: { params: { id: 12 }, response: example },
      errors: [404],
    },
    async handle({ actor, params }, { stories }) {
      return presentStory(await stories.get(actor, params.id));
    },
  }),

  ...(['put', 'patch'] as const).map((method) =>
    defineRoute<IdParams, unknown, StoryBody, Services>({
      method,
      path: '/api/v1/stories/:id',
      summary: 'Update a story',
      params: idParams,
      body: storyBody,
      audit: 'story.update',
      docs: {
        tag: 'Stories',
        description:
          'Changes the given fields. While a story is disabled its webhooks respond 404 and its pending events wait; they continue at once when it is enabled again.',
        response: wholeStory,
        example: {
          params: { id: 12 },
          body: { disabled: true },
          response: { ...example, disabled: true },
        },
        errors: [400, 403, 404, 415, 422],
      },
      check: ({ actor, params, body }, { stories }) => stories.checkUpdate(actor, params.id, body),
      async handle({ actor, params, body }, { stories }) {
        return presentStory(await stories.update(actor, params.id, columnsOf(body)));
      },
    }),
  ),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'delete',
    path: '/api/v1/stories/:id',
    summary: 'Delete a story',
    status: 204,
    params: idParams,
    audit: 'story.delete',
    docs: {
      tag: 'Stories',
      description:
        'Deletes its actions, its webhooks and its pending and failed deliveries. Its events are deleted when their retention is over.',
      example: { params: { id: 12 } },
      errors: [403, 404],
    },
    handle: ({ actor, params }, { stories }) => stories.delete(actor, params.id),
  }),
];

function columnsOf(body: StoryBody): StoryColumns {
  return {
    name: body.name,
    description: body.description,
    keepEventsForSeconds: body.keep_events_for,
    disabled: body.disabled,
    priority: body.priority,
    synchronousWebhooksEnabled: body.synchronous_webhooks_enabled,
    folderId: body.folder_id,
    teamId: body.team_id,
  };
}
