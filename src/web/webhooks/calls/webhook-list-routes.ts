import Joi from 'joi';
import { type AnyRoute, crudRoutes, pageKeys, type PageQuery, placesOf } from '../../../api/face.js';
import { idField } from '../../../platform/http/address/path-id.js';
import { draftField } from '../../../stories/face.js';
import type { WebhookView, WebhookListService } from './webhook-list-service.js';
import { presentWebhook, webhookExample, webhookResponse } from './webhook-presenter.js';

interface Services {
  webhooks: WebhookListService;
}

interface ListQuery extends PageQuery {
  story_id?: number;
  team_id?: number;
  draft_id?: number;
  mode: 'LIVE' | 'TEST';
}

const routes = crudRoutes<Services, WebhookView>({
  tag: 'Webhooks',
  ...placesOf('/api/v1/webhooks', webhookExample.id),
  response: webhookResponse,
  example: webhookExample,
  present: presentWebhook,
});

const query = Joi.object<ListQuery>({
  story_id: idField.description('Webhooks of this story'),
  team_id: idField.description('Webhooks of the stories of this team'),
  draft_id: draftField,
  mode: Joi.string()
    .uppercase()
    .valid('LIVE', 'TEST')
    .default('LIVE')
    .description('TEST for drafts, if no story is given'),
  ...pageKeys,
});

/** Endpoints of webhooks and their last calls (spec §4.9). */
export const webhookListRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List webhooks with their last calls',
    description:
      'Webhooks that the key can access, oldest story first. Accepted and rejected calls cover the last day and appear after about a second. Calls to unknown paths are not recorded.',
    plural: 'webhooks',
    query,
    exampleQuery: { story_id: 12 },
    handle: ({ actor, query: asked, window }, { webhooks }) =>
      webhooks.list(
        actor,
        {
          storyId: asked.story_id,
          teamId: asked.team_id,
          draftId: asked.draft_id,
          drafts: asked.mode === 'TEST',
        },
        window,
      ),
  }),

  routes.get({
    summary: 'Get a webhook with its last calls, by the id of its action',
    description:
      'Accepted and rejected calls cover the last day and appear after about a second. Actions of other types return 404.',
    handle: ({ actor, params }, { webhooks }) => webhooks.get(actor, params.id),
  }),
];
