import { responseSchema } from '../../api/face.js';
import {
  presentSentRequest,
  sentRequestExample,
  sentRequestSchema,
} from '../sent-requests/sent-request-presenter.js';
import type { KeptExchange } from './attempt-views.js';
import { keptResponseExample, keptResponseSchema, presentResponse } from './attempt-presenter.js';

/** The request and the response of a line of a log. */
export function presentExchange({ request, response }: KeptExchange) {
  return {
    ...presentSentRequest(request),
    response: response === undefined ? null : presentResponse(response),
  };
}

/** Schema of the request and the response of a line of a log. */
export const exchangeResponseSchema = responseSchema({
  sent_request: sentRequestSchema
    .allow(null)
    .description('null if none was recorded, because nothing was sent, or it predates recording'),
  response: keptResponseSchema
    .allow(null)
    .description('null if none was recorded, because none came, an event has it, or it predates recording'),
});

/** For the documentation. */
export const exchangeExample = { ...sentRequestExample, response: keptResponseExample };
