import Joi from 'joi';
import { KNOWN_NAMES } from '../options/option-rules.js';
import { integer, text } from '../options/options.js';

/** One day, in seconds: a longer window would keep a counter for each key for too long. */
const LONGEST_PERIOD = 24 * 60 * 60;
const MOST_CALLS = 1_000_000;

/** At most `count` requests with the same `key` within `period` seconds. */
export interface RateLimitOption {
  key: string;
  count: number;
  period: number;
}

/** The option `rate_limit` of a webhook. */
export const rateLimitOption = Joi.object<RateLimitOption>({
  key: text().default(''),
  count: integer().min(1).max(MOST_CALLS).required(),
  period: integer().min(1).max(LONGEST_PERIOD).required(),
})
  .unknown(true)
  .meta(KNOWN_NAMES)
  .empty(Joi.valid('', null));
