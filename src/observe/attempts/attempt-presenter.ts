import Joi from 'joi';
import { component, idSchema, responseSchema } from '../../api/face.js';
import type { KeptResponse } from '../../engine/face.js';
import {
  presentRequest,
  sentRequestExample,
  sentRequestSchema,
} from '../sent-requests/sent-request-presenter.js';
import { type FailedAttempt, ATTEMPT_OUTCOMES, type AttemptWithExchange } from './attempt.js';

/** A failed attempt without what it sent and received. */
export function presentAttempt(attempt: FailedAttempt) {
  const { failedAt, workMs } = attempt;
  return {
    id: attempt.id,
    delivery_id: attempt.deliveryId,
    agent_id: attempt.agentId,
    agent_name: attempt.agentName,
    event_id: attempt.eventId,
    number: attempt.number,
    outcome: attempt.outcome,
    started_at: workMs === null ? null : new Date(failedAt.getTime() - workMs).toISOString(),
    failed_at: failedAt.toISOString(),
    duration_ms: workMs,
    status: attempt.status,
    cause: attempt.cause,
    error: attempt.error,
  };
}

/** A failed attempt with what it sent and received last. */
export function presentWholeAttempt({ request, response, ...attempt }: AttemptWithExchange) {
  return {
    ...presentAttempt(attempt),
    request: request === undefined ? null : presentRequest(request),
    response: response === undefined ? null : presentResponse(response),
  };
}

/** A response that is kept. */
export function presentResponse(response: KeptResponse) {
  const { received_at, duration_ms, status, headers, body, body_bytes, body_left_out, truncated } = response;
  return { received_at, duration_ms, status, headers, body, body_bytes, body_left_out, truncated };
}

const count = Joi.number().integer().min(0);

/** Schema of a kept response. */
export const keptResponseSchema = component(
  'KeptResponse',
  responseSchema({
    received_at: Joi.string().isoDate().description('When it was complete, by the worker clock'),
    duration_ms: count.description('From the request to the end of the response, redirects included'),
    status: count,
    headers: Joi.object()
      .pattern(Joi.string(), Joi.string().allow(''))
      .description('By lower-case name; cookies and headers that sign in are `[hidden]`'),
    body: Joi.string()
      .allow('', null)
      .description('Body text, at most the first 8 KiB; null if there was none, or if it was omitted'),
    body_bytes: count
      .allow(null)
      .description('Size of the whole body, with credentials replaced by markers; null if unknown'),
    body_left_out: Joi.string()
      .valid('binary', 'large')
      .allow(null)
      .description(
        'Why the body has no text: `binary`: not text; `large`: larger than 256 KiB and may contain a credential',
      ),
    truncated: Joi.array()
      .items(Joi.string().valid('headers', 'body'))
      .description('Parts that were truncated'),
  }),
);

/** Description of causes. */
export const CAUSE =
  'Why it failed, in one line: the status and the message of the response, or else the error';

const attemptKeys = {
  id: idSchema.description('The id of its line in the log of the action'),
  delivery_id: idSchema.description(
    'The same for all attempts of one step; the id of the dead letter if it became one',
  ),
  agent_id: idSchema,
  agent_name: Joi.string().allow('', null).description('null if the action was deleted'),
  event_id: idSchema
    .allow(null)
    .description('The event that it processed; null for the first action of the run, or if it was deleted'),
  number: count
    .allow(null)
    .description('From 1; starts again after a manual retry. null if the action did not fail'),
  outcome: Joi.string()
    .valid(...ATTEMPT_OUTCOMES)
    .description(
      '`retried`: another attempt followed; `failed`: it was the last; `continued`: an error was logged, and the action did not fail',
    ),
  started_at: Joi.string().isoDate().allow(null).description('null if unknown'),
  failed_at: Joi.string().isoDate(),
  duration_ms: count.allow(null).description('How long the attempt took; null if unknown'),
  status: count
    .allow(null)
    .description('Status of the last response; 0 if there was none; null if nothing was sent'),
  cause: Joi.string().allow('', null).description(CAUSE),
  error: Joi.string().allow('').description('The error of the attempt'),
};

/** Schema of a failed attempt without what it sent and received. */
export const attemptSummarySchema = component('AttemptSummary', responseSchema(attemptKeys));

/** Schema of a failed attempt. */
export const attemptSchema = component(
  'Attempt',
  responseSchema({
    ...attemptKeys,
    request: sentRequestSchema
      .allow(null)
      .description('The last request that it sent; null if none was sent or recorded'),
    response: keptResponseSchema
      .allow(null)
      .description('The response to that request; null if none came or none was recorded'),
  }),
);

/** For the documentation. */
export const attemptSummaryExample = {
  id: 77,
  delivery_id: 901,
  agent_id: 32,
  agent_name: 'Open a ticket',
  event_id: 813,
  number: 10,
  outcome: 'failed',
  started_at: '2026-11-26T20:15:00.125Z',
  failed_at: '2026-11-26T20:15:01.630Z',
  duration_ms: 1505,
  status: 500,
  cause: '500 · Ticket store unavailable: connection to shard tickets-03 refused',
  error: 'tickets.example answered 500',
};

/** For the documentation. */
export const keptResponseExample = {
  received_at: '2026-11-26T20:15:01.629Z',
  duration_ms: 1498,
  status: 500,
  headers: { 'content-type': 'application/json', 'set-cookie': '[hidden]' },
  body: '{"error":{"message":"Ticket store unavailable: connection to shard tickets-03 refused"}}',
  body_bytes: 88,
  body_left_out: null,
  truncated: [],
};

/** For the documentation. */
export const attemptExample = {
  ...attemptSummaryExample,
  request: sentRequestExample.sent_request,
  response: keptResponseExample,
};
