import Joi from 'joi';
import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';
import { type Called, defineAgent } from './agent.js';
import { readJson } from './json-text.js';
import { flag, isGiven, scalar, optionText } from './options/options.js';
import { asksForLoop } from './setting-names.js';

interface SendToStoryOptions {
  story: string;
  payload?: JsonValue;
  send_payload_as_body?: boolean;
  send_to_test?: boolean;
  send_to_draft?: JsonValue;
}

/**
 * Starts a run of another story of the team with `payload` at its entry action. Every event of that story's exit
 * actions becomes an event of this action (docs/build/agents.md, Send to story).
 */
export const sendToStoryAgent = defineAgent<SendToStoryOptions>({
  type: 'Agents::SendToStoryAgent',
  queue: 'send-to-story',
  options: Joi.object({
    story: scalar().required(),
    payload: Joi.any(),
    send_payload_as_body: flag(),
    send_to_test: flag(),
    send_to_draft: Joi.any(),
  }).unknown(true),
  run({ story, payload, send_payload_as_body: asBody, send_to_test: toTest, send_to_draft: toDraft }) {
    const draft = draftOf(toDraft) ?? (toTest === true ? 'newest' : undefined);
    return { call: { story, payload: objectOf(payload), asBody, draft } };
  },
});

/** Whether the agent calls a story once for each element: it emits one event at the end, not one for each exit. */
export function callsInLoop({ type, options }: { type: string; options: JsonObject }): boolean {
  return type === sendToStoryAgent.type && asksForLoop(options);
}

/** A payload that is neither an object nor the JSON of one is sent under the key `payload`. */
function objectOf(payload: JsonValue | undefined): JsonObject {
  if (payload === undefined || payload === null || payload === '') return {};
  const value = typeof payload === 'string' ? readJson(payload) : payload;
  return isJsonObject(value) ? value : { payload };
}

/** `true` means the newest draft; anything else is the id or the name of one. */
function draftOf(value: JsonValue | undefined): Called['call']['draft'] {
  const text = isGiven(value) ? optionText(value).trim() : '';
  if (['', 'false', 'no', '0', 'off'].includes(text.toLowerCase())) return undefined;
  return ['true', 'yes', '1', 'on'].includes(text.toLowerCase()) ? 'newest' : { named: text };
}
