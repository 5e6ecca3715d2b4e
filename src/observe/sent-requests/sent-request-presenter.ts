import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';
import type { SentRequest } from '../../engine/face.js';

/** A request that an action has sent; null: none was kept. */
export function presentSentRequest(request: SentRequest | undefined) {
  return { sent_request: request === undefined ? null : presentRequest(request) };
}

/** The request itself. */
export function presentRequest(request: SentRequest) {
  const { sent_at, method, url, headers, body, body_bytes, body_left_out, truncated } = request;
  return { sent_at, method, url, headers, body, body_bytes, body_left_out, truncated };
}

/** Schema of a request that was sent. */
export const sentRequestSchema = component(
  'SentRequest',
  responseSchema({
    sent_at: Joi.string().isoDate().description('When it was sent, by the worker clock'),
    method: Joi.string().description('In upper case'),
    url: Joi.string().allow('').description('URL with query; credentials are replaced by markers'),
    headers: Joi.object()
      .pattern(Joi.string(), Joi.string().allow(''))
      .description('By lower-case name, without connection headers; user names and passwords are `[hidden]`'),
    body: Joi.string()
      .allow('', null)
      .description('Body text, at most the first 8 KiB; null if there was none, or if it was omitted'),
    body_bytes: Joi.number()
      .integer()
      .allow(null)
      .description('Size of the whole body, with credentials replaced by markers; null if unknown'),
    body_left_out: Joi.string()
      .valid('binary', 'large')
      .allow(null)
      .description(
        'Why the body has no text: `binary`: not UTF-8 text; `large`: larger than 256 KiB and may contain a credential',
      ),
    truncated: Joi.array()
      .items(Joi.string().valid('url', 'headers', 'body'))
      .description('Parts that were truncated'),
  }),
);

/** Schema of a response with a sent request. */
export const sentRequestResponseSchema = responseSchema({
  sent_request: sentRequestSchema
    .allow(null)
    .description('null if none was recorded, because nothing was sent, or it predates recording'),
});

/** A sent request, for examples. */
export const sentRequestExample = {
  sent_request: {
    sent_at: '2026-11-26T20:15:00.125Z',
    method: 'POST',
    url: 'https://tickets.example/api/tickets?notify=true',
    headers: {
      authorization: 'Bearer [credential tickets]',
      'idempotency-key': '0193a5c1-812-0',
      'content-type': 'application/json; charset=utf-8',
    },
    body: '{"title":"Disk full on web-1"}',
    body_bytes: 30,
    body_left_out: null,
    truncated: [],
  },
};
