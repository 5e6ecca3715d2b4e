import { isJsonObject, type JsonObject, jsonTextOf } from '../../../platform/json.js';
import { createFormulaLanguage, createLiquidLanguage, type TemplateScope } from '../../../language/face.js';
import { withinTime } from '../../../platform/runtime/time-limit.js';
import type { WebhookResponse } from './response.js';
import { type ReceivedEvent, responseKeys } from '../webhook-event.js';
import { renderWebhookResponse } from './webhook-response.js';
import { parseJson } from '../../../platform/json/parse-json.js';

/** Time limit for all templates of one response. */
export const MAX_RESPONSE_MS = 1_000;

/** The values besides the request that a response is rendered from. */
export interface ResponseContext extends Pick<TemplateScope, 'resources' | 'credentials' | 'stories'> {
  slug: string;
  meta: JsonObject;
  storyRunGuid: string;
}

/** The input of the thread that renders a response. */
export interface RenderOrder {
  /** The webhook's response options. */
  parts: JsonObject;
  language: 'liquid' | 'formula';
  received: { headers: JsonObject; eventText: string; bodyIsEvent: boolean };
  context: ResponseContext;
}

/** Returns the scope of a response's templates. */
export function responseScope(received: ReceivedEvent<JsonObject>, context: ResponseContext): TemplateScope {
  const { slug, ...others } = context;
  return { ...others, event: { ...responseKeys(received), [slug]: received.event } };
}

/** Builds the input for the thread. */
export function renderOrder(received: ReceivedEvent, how: Omit<RenderOrder, 'received'>): RenderOrder {
  const { headers, event, bodyIsEvent } = received;
  return { ...how, received: { headers, eventText: jsonTextOf(event), bodyIsEvent } };
}

const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };

/** Renders a response in a thread. @throws TemplateError */
export function renderResponseInThread({ parts, language, received, context }: RenderOrder): WebhookResponse {
  const event: unknown = parseJson(received.eventText);
  const scope = responseScope({ ...received, event: isJsonObject(event) ? event : {} }, context);
  return withinTime(MAX_RESPONSE_MS, () => renderWebhookResponse(parts, languages[language], scope));
}
