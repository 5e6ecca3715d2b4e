import Joi from 'joi';
import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';
import { defineAgent } from './agent.js';
import { readJson } from './json-text.js';
import { flag, scalar } from './options.js';

interface SendToStoryOptions {
  story: string;
  payload?: JsonValue;
  send_payload_as_body?: boolean;
}

/**
 * Starts a run of another story of the team with `payload` at its entry action. Every event of that story's exit
 * actions becomes an event of this action (docs/agents.md, Send to story).
 */
export const sendToStoryAgent = defineAgent<SendToStoryOptions>({
  type: 'Agents::SendToStoryAgent',
  queue: 'send-to-story',
  options: Joi.object({
    story: scalar().required(),
    payload: Joi.any(),
    send_payload_as_body: flag(),
  }).unknown(true),
  run({ story, payload, send_payload_as_body: asBody }) {
    return { call: { story, payload: objectOf(payload), asBody } };
  },
});

/** A payload that is neither an object nor the JSON of one is sent under the key `payload`. */
function objectOf(payload: JsonValue | undefined): JsonObject {
  if (payload === undefined || payload === null || payload === '') return {};
  const value = typeof payload === 'string' ? readJson(payload) : payload;
  return isJsonObject(value) ? value : { payload };
}
