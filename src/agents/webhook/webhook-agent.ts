import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { defineAgent } from '../agent.js';
import { flag, isGiven, names, object, scalar } from '../options/options.js';
import { originsIn } from './webhook-cors.js';
import { type RateLimitOption, rateLimitOption } from './webhook-rate-limit.js';
import { unknownVerb } from './webhook-verbs.js';

/** Options of a webhook action (spec §4.1); `src/web/webhooks` applies them. */
export interface WebhookOptions {
  path?: string;
  secret?: string;
  /** A list, or a text with commas. */
  verbs?: JsonValue;
  response?: JsonValue;
  response_code?: string;
  response_headers?: Record<string, JsonValue>;
  include_headers?: boolean;
  /** Credential headers that events keep: a list of header names, or a text with commas. */
  keep_headers?: JsonValue;
  /** Events hold the body as it came too, under `raw_body`. */
  raw_body?: boolean;
  /** Pages of any origin may call it and read its answers. */
  enable_cors?: boolean;
  /** The origins whose pages may: a list, a text with commas, or `{origins}`. */
  cors?: JsonValue;
  rate_limit?: RateLimitOption;
}

const verbs = () =>
  Joi.alternatives(Joi.string(), Joi.array().items(Joi.string()))
    .empty(Joi.valid('', null))
    .custom((value: JsonValue, helpers) => {
      const verb = unknownVerb(value);
      return verb === undefined ? value : helpers.error('webhook.verbs', { verb: verb.slice(0, 50) });
    })
    .messages({
      'webhook.verbs':
        '{{#label}} contains "{{#verb}}", which is not an HTTP method: use a comma-separated list such as get, post',
    });

/** @throws PermanentJobError for a value that names no origin. */
function requireOrigins(origins: JsonValue | undefined): void {
  if (!isGiven(origins) || typeof origins === 'boolean' || originsIn(origins) !== undefined) return;
  throw new PermanentJobError('cors: use origins such as https://forms.example, or * for any');
}

/** A root: webhook requests become its events, and it never receives a delivery. */
export const webhookAgent = defineAgent<WebhookOptions>({
  type: 'Agents::WebhookAgent',
  queue: undefined,
  options: Joi.object({
    path: scalar(),
    secret: scalar(),
    verbs: verbs(),
    response: Joi.any(),
    response_code: scalar(),
    response_headers: object(),
    include_headers: flag(),
    keep_headers: names(),
    raw_body: flag(),
    enable_cors: flag(),
    cors: Joi.alternatives(flag(), names(), Joi.object({ origins: names() }).unknown(true)).empty(
      Joi.valid('', null),
    ),
    rate_limit: rateLimitOption,
  }).unknown(true),
  checks: {
    cors: (cors) => requireOrigins(isJsonObject(cors) ? cors['origins'] : cors),
  },
  rawOptions: ['response', 'response_headers', 'rate_limit'],
  run() {
    throw new PermanentJobError('a webhook only receives requests; events cannot be delivered to it');
  },
});
