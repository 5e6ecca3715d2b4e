import Joi from 'joi';
import {
  type AnyRoute,
  component,
  crudRoutes,
  defineRoute,
  pageKeys,
  type PageQuery,
  placesOf,
  responseSchema,
} from '../../../api/face.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { idField, type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import { jsonObject } from '../../../platform/validation/json-object.js';
import { draftField } from '../../../stories/face.js';
import type { WebhookCallService } from './webhook-call-service.js';
import {
  WEBHOOK_ORDERS,
  type WebhookListService,
  type WebhookOrder,
  type WebhookView,
} from './webhook-list-service.js';
import { presentWebhook, webhookExample, webhookResponse } from './webhook-presenter.js';

interface Services {
  webhooks: WebhookListService;
  webhookCalls: WebhookCallService;
}

interface CallBody {
  method?: string;
  query: JsonObject;
  headers: Record<string, string>;
  body?: JsonValue;
}

const callBody = Joi.object<CallBody>({
  method: Joi.string()
    .uppercase()
    .valid('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')
    .description('Default: POST, or another that the webhook accepts'),
  query: jsonObject().default({}).description('Parameters in the URL'),
  headers: Joi.object()
    .pattern(
      Joi.string()
        .pattern(/^[\w!#$%&'*+.^`|~-]+$/)
        .max(200),
      Joi.string()
        .allow('')
        .pattern(/^[\t\x20-\x7e\x80-\xff]*$/)
        .max(8_000),
    )
    .max(100)
    .default({})
    .description('Headers; those of the connection have no effect'),
  body: Joi.any().description('A text is sent unchanged, any other value as JSON'),
});

const answeredCall = component(
  'AnsweredWebhookCall',
  responseSchema({
    status: Joi.number().integer().description('Status of the response of the webhook'),
    headers: Joi.object().unknown(true).description('Names in lower case'),
    body: Joi.string().allow('').description('The text of the response, at most 64 KiB'),
    truncated: Joi.boolean().description('Whether the text is longer'),
    story_run_guid: Joi.string().guid().allow(null).description('The started run; null if it was rejected'),
  }),
);

interface ListQuery extends PageQuery {
  story_id?: number;
  team_id?: number;
  draft_id?: number;
  mode: 'LIVE' | 'TEST';
  search?: string;
  order: WebhookOrder;
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
  search: Joi.string().max(255).description('Part of a name or the path'),
  order: Joi.string()
    .uppercase()
    .valid(...WEBHOOK_ORDERS)
    .default('STORY')
    .description('The last call, or the most rejected calls of a day, first'),
  ...pageKeys,
});

/** Endpoints of webhooks, their last calls, and calls by hand (spec §4.9). */
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
          search: asked.search,
          order: asked.order,
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

  defineRoute<IdParams, unknown, CallBody, Services>({
    method: 'post',
    path: '/api/v1/webhooks/:id/call',
    summary: 'Call a webhook at its own address',
    params: idParams,
    body: callBody,
    audit: 'webhook.call',
    docs: {
      tag: 'Webhooks',
      operationId: 'callWebhook',
      description:
        'Sends the request to the address of the webhook, with its secret, as a client does: it starts a real run and returns what the webhook responds. Actions of other types return 404.',
      response: answeredCall,
      example: {
        params: { id: webhookExample.id },
        body: { body: { host: 'web-1' } },
        response: {
          status: 201,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: 'Accepted',
          truncated: false,
          story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
        },
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params }, { webhookCalls }) => webhookCalls.check(actor, params.id),
    async handle({ actor, params, body, request }, { webhookCalls }) {
      const { method, query, headers, body: sent } = body;
      const at = { id: params.id, address: request.address, left: request.left() };
      const answered = await webhookCalls.call(actor, at, { method, query, headers, body: sent });
      const { status, headers: received, body: text, isCut, runGuid } = answered;
      return { status, headers: received, body: text, truncated: isCut, story_run_guid: runGuid ?? null };
    },
  }),
];
