import Joi from 'joi';
import { component } from '../api/openapi/component.js';
import { crudRoutes, placesOf } from '../api/crud-routes.js';
import { responseSchema } from '../api/response-schema.js';
import { idField } from '../platform/http/path-id.js';
import { type AnyRoute } from '../api/route.js';
import { nameField } from '../access/tenants/name-field.js';
import { LIMITS } from './import/import-limits.js';
import { ALLOWED_RETENTION } from './import/retention.js';
import type { StoryColumns } from './story-change-store.js';
import { presentStory } from './story-presenter.js';
import { storyExample, storyKeys } from './story-routes.js';
import type { StoryRecord } from './story-store.js';
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
  priority: Joi.boolean().description('Whether its events go before those of other stories'),
  synchronous_webhooks_enabled: Joi.boolean(),
  folder_id: idField.allow(null).description('null: in no folder'),
  team_id: idField.description('Another team: the story leaves its folder'),
});

const wholeStory = component(
  'Story',
  responseSchema({ ...storyKeys, synchronous_webhooks_enabled: Joi.boolean() }),
);
const example = { ...storyExample, synchronous_webhooks_enabled: false };

const routes = crudRoutes<Services, StoryRecord>({
  tag: 'Stories',
  ...placesOf('/api/v1/stories', example.id),
  response: wholeStory,
  example,
  present: presentStory,
});

/** Endpoints of one story (spec §3.10). */
export const storyItemRoutes: AnyRoute<Services>[] = [
  routes.get({
    summary: 'Get a story',
    handle: ({ actor, params }, { stories }) => stories.get(actor, params.id),
  }),

  ...routes.update<StoryBody>({
    summary: 'Update a story',
    description:
      'Changes the given fields. While a story is disabled its webhooks respond 404 and its pending events wait; they continue at once when it is enabled again.',
    body: storyBody,
    exampleBody: { disabled: true },
    exampleResponse: { ...example, disabled: true },
    errors: [400, 403, 404, 415, 422],
    audit: 'story.update',
    check: ({ actor, params, body }, { stories }) => stories.checkUpdate(actor, params.id, body),
    handle: ({ actor, params, body }, { stories }) => stories.update(actor, params.id, columnsOf(body)),
  }),

  routes.delete({
    summary: 'Delete a story',
    description:
      'Deletes its actions, its webhooks and its pending and failed deliveries. Its events are deleted when their retention is over.',
    audit: 'story.delete',
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
