import { isJsonObject, type JsonObject, jsonTextOf } from '../platform/json.js';
import { createFormulaLanguage } from '../language/formula/formula-language.js';
import { createLiquidLanguage } from '../language/liquid/liquid-language.js';
import type { TemplateScope } from '../language/template.js';
import { withinTime } from '../platform/runtime/time-limit.js';
import type { Answer } from './answer.js';
import { type ReceivedEvent, responseKeys } from './webhook-event.js';
import { renderAnswer } from './webhook-response.js';

/** The limit of all templates of one answer. */
export const MAX_ANSWER_MS = 1_000;

/** What an answer is made of besides the request. */
export interface AnswerContext extends Pick<TemplateScope, 'resources' | 'credentials' | 'stories'> {
  slug: string;
  meta: JsonObject;
  storyRunGuid: string;
}

/** An answer to be made, as it goes to a thread. */
export interface AnswerOrder {
  /** The webhook's response options. */
  parts: JsonObject;
  language: 'liquid' | 'formula';
  received: { headers: JsonObject; eventText: string; bodyIsEvent: boolean };
  context: AnswerContext;
}

/** What the templates of an answer see. */
export function answerScope(received: ReceivedEvent<JsonObject>, context: AnswerContext): TemplateScope {
  const { slug, ...others } = context;
  return { ...others, event: { ...responseKeys(received), [slug]: received.event } };
}

/** The order for such an answer. */
export function answerOrder(received: ReceivedEvent, how: Omit<AnswerOrder, 'received'>): AnswerOrder {
  const { headers, event, bodyIsEvent } = received;
  return { ...how, received: { headers, eventText: jsonTextOf(event), bodyIsEvent } };
}

const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };

/** Makes an answer in a thread. @throws TemplateError */
export function answerInThread({ parts, language, received, context }: AnswerOrder): Answer {
  const event: unknown = JSON.parse(received.eventText);
  const scope = answerScope({ ...received, event: isJsonObject(event) ? event : {} }, context);
  return withinTime(MAX_ANSWER_MS, () => renderAnswer(parts, languages[language], scope));
}
