import Joi from 'joi';
import type { AgentContext, AgentOutput } from '../agent.js';
import { defineAgent } from '../agent.js';
import { KNOWN_NAMES } from '../options/option-rules.js';
import { flag, integer, word } from '../options/options.js';
import { startSearches } from '../pattern.js';
import { isRuleType, type Rule, ruleHolds } from './rules.js';

interface TriggerOptions {
  rules: Rule[];
  must_match?: number;
  emit_no_match: boolean;
}

/** Names the rule, as the errors of its test do. */
const RULE_MESSAGE = '{{#rule}}: unknown rule type "{{#type}}"';

function knownType(type: string, helpers: Joi.CustomHelpers): unknown {
  if (isRuleType(type)) return type;
  const [list = 'rules', index = 0] = helpers.state.path ?? [];
  return helpers.error('rule.type', { rule: `${list}[${index}]`, type: type.slice(0, 100) });
}

/** `path` and `value` may have any type. */
const rule = Joi.object({
  type: word().required().custom(knownType).messages({ 'rule.type': RULE_MESSAGE }),
  path: Joi.any(),
  value: Joi.any(),
  case_sensitive: flag(),
})
  .unknown(true)
  .meta(KNOWN_NAMES);

/**
 * An event passes if enough rules match (docs/build/agents.md, Trigger). Otherwise it follows the no-match links or, with
 * `emit_no_match`, all links.
 */
export const triggerAgent = defineAgent<TriggerOptions>({
  type: 'Agents::TriggerAgent',
  queue: 'trigger',
  computes: true,
  options: Joi.object({
    rules: Joi.array().items(rule).single().required(),
    must_match: integer().min(1),
    emit_no_match: flag().default(false),
  }).unknown(true),
  run({ rules, must_match: mustMatch, emit_no_match: emitNoMatch }, context) {
    const matched = matches(rules, mustMatch ?? rules.length, context);
    return { outputs: [outcome(matched, emitNoMatch)] };
  },
});

/** Checks every rule, even if the outcome is already known, so that an invalid rule is always reported. */
function matches(rules: Rule[], mustMatch: number, { log, noteRules }: AgentContext): boolean {
  const warn = (message: string) => log('warn', message);
  const time = startSearches();
  const holds = rules.map((rule, index) => ruleHolds(rule, { place: `rules[${index}]`, warn, time }));
  noteRules?.(
    rules.map(({ type, path, value }, index) => ({ type, path, value, holds: holds[index] === true })),
  );
  return holds.filter(Boolean).length >= mustMatch;
}

function outcome(matched: boolean, emitNoMatch: boolean): AgentOutput {
  if (matched) return { payload: { rule_matched: true } };
  return { payload: { rule_matched: false }, branch: emitNoMatch ? 'all' : 'secondary' };
}
