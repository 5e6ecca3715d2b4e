import type { Problem } from '../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../platform/json.js';
import { emailAgent } from './email/email-agent.js';
import { eventTransformationAgent } from './event-transformation/event-transformation-agent.js';
import { httpRequestAgent } from './http-request/http-request-agent.js';
import { patternFault } from './pattern.js';
import { triggerAgent } from './trigger/trigger-agent.js';
import { webhookAgent } from './webhook-agent.js';

/** Options of the export format that change an action elsewhere, but have no effect here. */
const IGNORED: ReadonlyMap<string, readonly string[]> = new Map([
  [httpRequestAgent.type, ['customize_output', 'custom_certificate_authority_name']],
  [emailAgent.type, ['send_to_draft']],
  [webhookAgent.type, ['match_rules', 'must_match', 'access_control', 'enable_cors', 'cors']],
]);

/** Returns the names of the options that have a value but no effect on an action of this type. */
export function ignoredOptions(type: string, options: JsonObject): string[] {
  const blank: unknown[] = [undefined, null, '', false, 'false'];
  const isBlank = (value: JsonValue | undefined) =>
    blank.includes(value) || (Array.isArray(value) && value.length === 0);
  return (IGNORED.get(type) ?? []).filter((name) => !isBlank(options[name]));
}

interface PlacedPattern {
  place: string;
  pattern: string;
}

/** Returns the faults of the patterns in these options, with their paths. Templates are skipped: their result is not known yet. */
export function unusablePatterns(
  type: string,
  options: JsonObject,
  isTemplate: (text: string) => boolean,
): Problem[] {
  return patternsOf(type, options)
    .filter(({ pattern }) => !isTemplate(pattern))
    .flatMap(({ place, pattern }) => {
      const fault = patternFault(pattern);
      return fault === undefined ? [] : [{ message: fault, details: place }];
    });
}

function patternsOf(type: string, options: JsonObject): PlacedPattern[] {
  if (type === triggerAgent.type) return placed(options.rules, 'rules').flatMap(rulePatterns);
  if (type !== eventTransformationAgent.type || options.mode !== 'extract') return [];
  return placed(options.matchers, 'matchers').flatMap(({ place, value }) =>
    isJsonObject(value) ? textsAt(value.regexp, `${place}.regexp`) : [],
  );
}

function rulePatterns({ place, value: rule }: Placed): PlacedPattern[] {
  if (!isJsonObject(rule) || (rule.type !== 'regex' && rule.type !== '!regex')) return [];
  if (!Array.isArray(rule.value)) return textsAt(rule.value, `${place}.value`);
  return placed(rule.value, `${place}.value`).flatMap((each) => textsAt(each.value, each.place));
}

interface Placed {
  place: string;
  value: JsonValue;
}

/** Returns a list's elements with their paths; a single value counts as a list of one. */
function placed(list: JsonValue | undefined, name: string): Placed[] {
  const values = Array.isArray(list) ? list : [list ?? null];
  return values.map((value, index) => ({ place: `${name}[${index}]`, value }));
}

function textsAt(value: JsonValue | undefined, place: string): PlacedPattern[] {
  return typeof value === 'string' ? [{ place, pattern: value }] : [];
}
