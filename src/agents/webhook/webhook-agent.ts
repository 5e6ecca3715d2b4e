import { METHODS } from 'node:http';
import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { defineAgent } from '../agent.js';
import { flag, integer, isGiven, names, object, scalar, text } from '../options/options.js';
import { originsIn } from './webhook-cors.js';
import { KNOWN_NAMES } from '../options/option-rules.js';

const DEFAULT_VERBS = ['GET', 'POST'];
/** CONNECT asks for a tunnel, and never reaches a webhook. */
const KNOWN_VERBS: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'CONNECT'));

/** One day, in seconds: a longer window would keep a counter for each key for too long. */
const LONGEST_PERIOD = 24 * 60 * 60;
const MOST_LIMITED_CALLS = 1_000_000;

/** At most `count` requests with the same `key` within `period` seconds. */
export interface RateLimitOption {
  key: string;
  count: number;
  period: number;
}

/** The option `rate_limit` of a webhook. */
export const rateLimitOption = Joi.object<RateLimitOption>({
  key: text().default(''),
  count: integer().min(1).max(MOST_LIMITED_CALLS).required(),
  period: integer().min(1).max(LONGEST_PERIOD).required(),
})
  .unknown(true)
  .meta(KNOWN_NAMES)
  .empty(Joi.valid('', null));

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
  /** Pages of any origin may call it and read its responses. */
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

/**
 * Returns the methods that a webhook accepts, in capitals: those that `verbs` lists (a list, or a text with commas or
 * spaces), GET and POST if it names none.
 */
export function readVerbs(value: JsonValue | undefined): string[] {
  const verbs = listed(value).filter((verb) => KNOWN_VERBS.has(verb));
  return verbs.length === 0 ? DEFAULT_VERBS : [...new Set(verbs)];
}

/** Returns the first word of `verbs` that is no method. */
function unknownVerb(value: JsonValue | undefined): string | undefined {
  return listed(value).find((verb) => !KNOWN_VERBS.has(verb));
}

function listed(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === 'string')
    .flatMap((item) => item.toUpperCase().split(/[\s,;]+/))
    .filter((verb) => verb !== '');
}
