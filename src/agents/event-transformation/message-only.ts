import Joi from 'joi';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { defineMode, freeKeys } from './mode.js';

/**
 * `message_only`: emits the payload. Without the option `payload`, all other options are the payload (stories of
 * schema 1 and some later ones use this form).
 */
export const messageOnly = defineMode<JsonObject & { payload?: JsonValue }>({
  options: Joi.object<JsonObject & { payload?: JsonValue }>({ payload: Joi.any() }).unknown(true),
  takesAnyName: ({ payload }) => payload === undefined,
  run(options) {
    return [options.payload === undefined ? freeKeys(options) : options.payload];
  },
});
