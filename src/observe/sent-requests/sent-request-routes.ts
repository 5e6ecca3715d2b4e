import Joi from 'joi';
import { type AnyRoute, defineRoute } from '../../api/face.js';
import { idField, type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { eventExample } from '../events/event-presenter.js';
import {
  presentSentRequest,
  sentRequestResponseSchema,
  sentRequestExample,
} from './sent-request-presenter.js';
import { exchangeExample, exchangeResponseSchema, presentExchange } from '../attempts/exchange-presenter.js';
import type { SentRequestService } from './sent-request-service.js';

interface Services {
  sentRequests: SentRequestService;
}

interface LineParams extends IdParams {
  log_id: number;
}

const lineParams = Joi.object<LineParams>({
  id: idField.required(),
  log_id: idField.required().description('Id of the line'),
});

const KEPT =
  'Secrets are replaced by markers with the name of the credential. Of several requests, as in a loop, the last one is recorded; of redirects, the first.';

const ofEvent = defineRoute<IdParams, unknown, unknown, Services>({
  method: 'get',
  path: '/api/v1/events/:id/request',
  summary: 'Get the HTTP request that produced an event',
  params: idParams,
  docs: {
    tag: 'Events',
    description: `The request as the action sent it. ${KEPT}`,
    response: sentRequestResponseSchema,
    example: { params: { id: eventExample.id }, response: sentRequestExample },
    errors: [404, 422],
  },
  async handle({ actor, params }, { sentRequests }) {
    return presentSentRequest(await sentRequests.ofEvent(actor, params.id));
  },
});

const ofLines = (['actions', 'agents'] as const).map((word) =>
  defineRoute<LineParams, unknown, unknown, Services>({
    method: 'get',
    path: `/api/v1/${word}/:id/logs/:log_id/request`,
    summary: `Get the HTTP request and response of a failed attempt, by its log line of one of the ${word}`,
    params: lineParams,
    docs: {
      tag: 'Agents',
      description: `The last request that the attempt sent before it failed, and the response to it. ${KEPT}`,
      response: exchangeResponseSchema,
      example: { params: { id: 32, log_id: 77 }, response: exchangeExample },
      errors: [404, 422],
    },
    async handle({ actor, params }, { sentRequests }) {
      const line = { agentId: params.id, lineId: params.log_id };
      return presentExchange(await sentRequests.ofLogLine(actor, line));
    },
  }),
);

/** The requests that HTTP actions have sent (spec §5.8 and §5.9). */
export const sentRequestRoutes: AnyRoute<Services>[] = [ofEvent, ...ofLines];
