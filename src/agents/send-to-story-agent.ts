import Joi from 'joi';
import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';
import { defineAgent } from './agent.js';
import { parseJson } from './json-text.js';
import { flag, scalar } from './options.js';

interface SendToStoryOptions {
  story: string;
  payload?: JsonValue;
  send_payload_as_body?: boolean;
}

/**
 * Has another story of the team do the work: its run begins with `payload` at its entry action, and every event of
 * its exit actions becomes one of this action's (docs/agents.md, Send to story).
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

/** What is no object, nor the JSON of one, is sent under `payload`. */
function objectOf(payload: JsonValue | undefined): JsonObject {
  if (payload === undefined || payload === null || payload === '') return {};
  const value = typeof payload === 'string' ? parseJson(payload) : payload;
  return isJsonObject(value) ? value : { payload };
}
