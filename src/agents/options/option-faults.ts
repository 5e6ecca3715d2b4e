import type { Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { emailAgent } from '../email/email-agent.js';
import { eventTransformationAgent } from '../event-transformation/event-transformation-agent.js';
import { MODES } from '../event-transformation/modes.js';
import { httpRequestAgent } from '../http-request/http-request-agent.js';
import { findAgentType } from '../index.js';
import {
  hasNoValue,
  type IsTemplate,
  type OptionRules,
  staticFaults,
  unknownNames,
} from './option-checks.js';
import { readJson } from '../json-text.js';
import { optionPatternFault } from '../pattern.js';
import { recordAgent } from '../record-agent.js';
import { triggerAgent } from '../trigger/trigger-agent.js';
import { asksForLoop } from '../setting-names.js';
import { webhookAgent } from '../webhook/webhook-agent.js';
import { unsentHeaders } from '../webhook/webhook-headers.js';

/** Options of the export format that change an action elsewhere, but have no effect here. */
const IGNORED: ReadonlyMap<string, readonly string[]> = new Map([
  [httpRequestAgent.type, ['customize_output', 'custom_certificate_authority_name']],
  [emailAgent.type, ['send_to_draft']],
  [webhookAgent.type, ['loop', 'match_rules', 'must_match', 'access_control']],
]);

const NO_LIST = 'option loop must be a list or an object';

/** Settings of the editor in real exports, which change nothing where an action runs. */
const OF_EDITOR: ReadonlyMap<string, readonly string[]> = new Map([
  [emailAgent.type, ['advanced_html']],
  [recordAgent.type, ['record_type_id', 'record_result_mode']],
]);

/** Returns the names of the options that have a value but no effect on an action of this type. */
export function ignoredOptions(type: string, options: JsonObject): string[] {
  const names = (IGNORED.get(type) ?? []).filter((name) => !hasNoValue(options[name]));
  if (type !== webhookAgent.type) return names;
  return [...names, ...unsentHeaders(options.response_headers).map((name) => `response_headers.${name}`)];
}

/** Returns the options whose names the type does not know, as `details`; what a name may mean is in the message. */
export function unknownOptions(type: string, options: JsonObject): Problem[] {
  const agent = findAgentType(type);
  if (agent === undefined) return [];
  const mode = modeOf(type, options);
  if (mode?.takesAnyName?.(options) === true) return [];
  // A mode with templates may be any.
  if (mode === undefined && type === eventTransformationAgent.type) return [];
  const known = new Set([
    ...(IGNORED.get(type) ?? []),
    ...(OF_EDITOR.get(type) ?? []),
    ...(mode === undefined ? [] : ['mode']),
  ]);
  return unknownNames((mode ?? agent).options, options)
    .filter(({ place }) => !known.has(place))
    .map(({ place, meant }) => ({
      message: `there is no option of this name${meant === undefined ? '' : `: it is written ${meant}`}`,
      details: place,
    }));
}

/** Returns the faults with which every run of these options fails, as `details` and message. Values with templates are not judged. */
export function optionFaults(type: string, options: JsonObject, isTemplate: IsTemplate): Problem[] {
  const agent = findAgentType(type);
  if (agent === undefined) return [];
  const mode = modeOf(type, options);
  const faults = [agent, ...(mode === undefined ? [] : [mode])].flatMap((rules: OptionRules) =>
    staticFaults(rules, options, isTemplate),
  );
  const loopFault = type === webhookAgent.type ? undefined : faultOfLoop(mode ?? agent, options, isTemplate);
  return loopFault === undefined ? faults : [...faults, { message: loopFault, details: 'loop' }];
}

function faultOfLoop(
  { loops }: { loops?: false },
  options: JsonObject,
  isTemplate: IsTemplate,
): string | undefined {
  if (!asksForLoop(options)) return undefined;
  if (loops === false) return 'this kind of action cannot loop';
  const { loop = null } = options;
  if (typeof loop === 'string' && isTemplate(loop)) return undefined;
  const value = typeof loop === 'string' ? readJson(loop.trim()) : loop;
  return Array.isArray(value) || isJsonObject(value) ? undefined : NO_LIST;
}

function modeOf(type: string, { mode }: JsonObject) {
  return type === eventTransformationAgent.type && typeof mode === 'string' ? MODES.get(mode) : undefined;
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
      const fault = optionPatternFault(pattern);
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
