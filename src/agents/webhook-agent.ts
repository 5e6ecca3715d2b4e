import Joi from 'joi';
import { PermanentJobError } from '../platform/errors.js';
import type { JsonValue } from '../platform/json.js';
import { defineAgent } from './agent.js';
import { flag, names, object, scalar, word } from './options.js';

/** Options of a webhook action (spec §4.1); the receiving side of the server acts on them. */
export interface WebhookOptions {
  path?: string;
  secret?: string;
  /** Comma-separated. */
  verbs?: string;
  response?: JsonValue;
  response_code?: string;
  response_headers?: Record<string, JsonValue>;
  include_headers?: boolean;
  /** Credentials of callers that events hold all the same: a list of header names, or a text with commas. */
  keep_headers?: JsonValue;
}

/** A root: calls from outside become its events, and nothing is ever delivered to it. */
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
    throw new PermanentJobError('a webhook takes calls from outside; nothing can be delivered to it');
  },
});
