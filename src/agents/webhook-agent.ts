import Joi from 'joi';
import { PermanentJobError } from '../platform/errors.js';
import type { JsonValue } from '../platform/json.js';
import { defineAgent } from './agent.js';
import { flag, names, object, scalar, word } from './options.js';

/** Options of a webhook action (spec §4.1); `src/webhooks` applies them. */
export interface WebhookOptions {
  path?: string;
  secret?: string;
  /** Comma-separated. */
  verbs?: string;
  response?: JsonValue;
  response_code?: string;
  response_headers?: Record<string, JsonValue>;
  include_headers?: boolean;
  /** Credential headers that events keep: a list of header names, or a text with commas. */
  keep_headers?: JsonValue;
}

/** A root: webhook requests become its events, and it never receives a delivery. */
export const webhookAgent = defineAgent<WebhookOptions>({
  type: 'Agents::WebhookAgent',
  queue: undefined,
  options: Joi.object({
    path: scalar(),
    secret: scalar(),
    verbs: word(),
    response: Joi.any(),
    response_code: scalar(),
    response_headers: object(),
    include_headers: flag(),
    keep_headers: names(),
  }).unknown(true),
  rawOptions: ['response', 'response_headers'],
  run() {
    throw new PermanentJobError('a webhook receives requests only; no event can be delivered to it');
  },
});
