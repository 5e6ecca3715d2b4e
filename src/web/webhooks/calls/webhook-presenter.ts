import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { readVerbs } from '../../../agents/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { givenAddress } from '../../../stories/face.js';
import type { CallCounts, KnownCalls } from './call-log.js';
import { type AcceptedCall, KEPT_CALLS, type RefusedCall } from './pending-calls.js';
import { REFUSAL_REASONS } from './refusal-reason.js';
import type { WebhookView } from './webhook-list-service.js';

const count = Joi.number().integer().min(0);
const address = Joi.string()
  .allow('')
  .description('IP address of the client; behind trusted proxies, the forwarded one');
const contentType = Joi.string().allow('').description('Content type of the request; empty if none');
const status = Joi.number().integer();

const callSchema = component(
  'WebhookCall',
  responseSchema({
    at: timeSchema.description('When it was received'),
    status: status.description('The status of the response'),
    bytes: count.description('Body size as received, in bytes'),
    address,
    content_type: contentType,
    story_run_guid: Joi.string().guid().description('The started run'),
  }),
);

const refusalSchema = component(
  'WebhookRefusal',
  responseSchema({
    at: timeSchema.description('When it was received'),
    status: status.allow(null).description('Status of the response; null if the client disconnected first'),
    reason: Joi.string()
      .valid(...REFUSAL_REASONS)
      .description('Why the call was rejected'),
    message: Joi.string().allow('').description('The text of the response'),
    method: Joi.string().description('The method of the request'),
    address,
    content_type: contentType,
  }),
);

const countsSchema = component(
  'WebhookCounts',
  responseSchema({
    since: timeSchema.description('The first counted call'),
    accepted: count.description('Accepted calls'),
    refused: Joi.object()
      .pattern(Joi.string().valid(...REFUSAL_REASONS), count)
      .description('Rejected calls, by reason'),
    unrecorded: count.description('Calls that could not be recorded because Redis did not respond'),
  }),
);

/** A webhook in a response. */
export const webhookResponse = component(
  'Webhook',
  responseSchema({
    id: idSchema.description('The id of its action'),
    name: Joi.string().allow('').description('The name of its action'),
    disabled: Joi.boolean().description('Whether the action is disabled'),
    team_id: idSchema,
    story: responseSchema({
      id: idSchema,
      name: Joi.string().allow(''),
      disabled: Joi.boolean().description('Whether the story is disabled'),
    }).description('The story that its calls start'),
    path: Joi.string().allow(null).description('Its path; null if it cannot be called'),
    secret: Joi.string().allow(null).description('Its secret; null if the role cannot view it'),
    url: Joi.string()
      .allow(null)
      .description('Its URL, with the secret if the role can view it; null if it cannot be called'),
    verbs: Joi.array().items(Joi.string()).description('Accepted methods'),
    counts: countsSchema
      .allow(null)
      .description('null if there were no calls within a day, or if they are unavailable'),
    calls: Joi.array()
      .items(callSchema)
      .allow(null)
      .description(`The last ${KEPT_CALLS} accepted calls of a day, newest first; null if unavailable`),
    refusals: Joi.array()
      .items(refusalSchema)
      .allow(null)
      .description(`The last ${KEPT_CALLS} rejected calls of a day, newest first; null if unavailable`),
  }),
);

/** A webhook that `webhookResponse` allows. */
export const webhookExample = {
  id: 30,
  name: 'Receive alert',
  disabled: false,
  team_id: 2,
  story: { id: 12, name: 'Alert triage', disabled: false },
  path: 'alerts',
  secret: 'open-sesame',
  url: 'https://fabula.example/webhook/alerts/open-sesame',
  verbs: ['GET', 'POST'],
  counts: { since: '2026-11-21T09:30:00Z', accepted: 412, refused: { unauthorized: 3 }, unrecorded: 0 },
  calls: [
    {
      at: '2026-11-21T10:02:11Z',
      status: 201,
      bytes: 532,
      address: '203.0.113.7',
      content_type: 'application/json',
      story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
    },
  ],
  refusals: [
    {
      at: '2026-11-21T09:58:40Z',
      status: 401,
      reason: 'unauthorized',
      message: 'Unauthorized',
      method: 'POST',
      address: '203.0.113.7',
      content_type: 'application/json',
    },
  ],
};

/** Presents a webhook. `baseUrl`: the address of this server. */
export function presentWebhook(webhook: WebhookView, { baseUrl }: { baseUrl: string }) {
  const { agent, story, showsSecret, calls } = webhook;
  const { path = null, secret: stored } = givenAddress(agent.options);
  const secret = showsSecret && stored !== undefined ? stored : null;
  return {
    id: agent.id,
    name: agent.name,
    disabled: agent.disabled,
    team_id: agent.teamId,
    story: { id: story.id, name: story.name, disabled: story.disabled },
    path,
    secret,
    url: path === null ? null : urlOf(baseUrl, path, secret),
    verbs: readVerbs(agent.options['verbs']),
    ...presentCalls(calls),
  };
}

function urlOf(baseUrl: string, path: string, secret: string | null): string {
  const own = `${baseUrl}/webhook/${encodeURIComponent(path)}`;
  return secret === null ? own : `${own}/${encodeURIComponent(secret)}`;
}

function presentCalls(calls: KnownCalls | undefined) {
  if (calls === undefined) return { counts: null, calls: null, refusals: null };
  return {
    counts: calls.counts === undefined ? null : presentCounts(calls.counts),
    calls: calls.accepted.map(presentCall),
    refusals: calls.refused.map(presentRefusal),
  };
}

function presentCounts({ since, accepted, refused, unrecorded }: CallCounts) {
  return { since: timestamp(since), accepted, refused, unrecorded };
}

function presentCall({ at, status, bytes, address, contentType, runGuid }: AcceptedCall) {
  const place = { address, content_type: contentType };
  return { at: timestamp(new Date(at)), status, bytes, ...place, story_run_guid: runGuid };
}

function presentRefusal({ at, status, reason, message, method, address, contentType }: RefusedCall) {
  const place = { address, content_type: contentType };
  return {
    at: timestamp(new Date(at)),
    status: status === 0 ? null : status,
    reason,
    message,
    method,
    ...place,
  };
}
