import Joi from 'joi';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { defineMode, freeKeys } from './mode.js';

/**
 * `message_only`: the payload is the event. Without `payload` every other option is (all stories of schema 1
 * and some later ones are written so).
 */
export const messageOnly = defineMode<JsonObject & { payload?: JsonValue }>({
  options: Joi.object<JsonObject & { payload?: JsonValue }>().unknown(true),
  run(options) {
    return [options.payload === undefined ? freeKeys(options) : options.payload];
  },
});
