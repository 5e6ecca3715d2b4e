import Joi from 'joi';
import { component, responseSchema } from '../../api/face.js';
import type { SentRequest } from '../../engine/face.js';

/** A request that an action has sent; null: none was kept. */
export function presentSentRequest(request: SentRequest | undefined) {
  return { sent_request: request === undefined ? null : presentRequest(request) };
}

function presentRequest(request: SentRequest) {
  const { sent_at, method, url, headers, body, body_bytes, body_left_out, truncated } = request;
  return { sent_at, method, url, headers, body, body_bytes, body_left_out, truncated };
}

const sentRequestSchema = component(
  'SentRequest',
  responseSchema({
    sent_at: Joi.string().isoDate().description('When it was sent, by the clock of the worker'),
    method: Joi.string().description('In upper case'),
    url: Joi.string().allow('').description('Its address with the query; a marker stands for a credential'),
    headers: Joi.object()
      .pattern(Joi.string(), Joi.string().allow(''))
      .description(
        'By name in lower case, without those of the connection; a user and a password are `[hidden]`',
      ),
    body: Joi.string()
      .allow('', null)
      .description('The text of its body, at most the first 8 KiB; null: it had none, or it was left out'),
    body_bytes: Joi.number()
      .integer()
      .allow(null)
      .description('The size of the whole body, with markers in place of credentials; null: not told'),
    body_left_out: Joi.string()
      .valid('binary', 'large')
      .allow(null)
      .description(
        'Why a body has no text: `binary`: it is no text in UTF-8; `large`: it may have held a credential and had more than 256 KiB',
      ),
    truncated: Joi.array()
      .items(Joi.string().valid('url', 'headers', 'body'))
      .description('The parts of which only the beginning was kept'),
  }),
);

/** Schema of a response with a sent request. */
export const sentRequestAnswerSchema = responseSchema({
  sent_request: sentRequestSchema
    .allow(null)
    .description('null: none was kept, because nothing was sent, or before this was kept'),
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
