import type { Problem } from '../platform/errors.js';
import type { JsonObject } from '../platform/json.js';
import type { AgentDefinition } from './agent.js';
import { emailAgent } from './email/email-agent.js';
import { eventTransformationAgent } from './event-transformation/event-transformation-agent.js';
import { isStoredMode, modeNotRunnable, modeOptions } from './event-transformation/modes.js';
import { httpRequestAgent } from './http-request/http-request-agent.js';
import { anyAgent, wrongKinds } from './options/options.js';
import { recordAgent, recordModeNotRunnable } from './record-agent.js';
import { sendToStoryAgent } from './send-to-story-agent.js';
import { triggerAgent } from './trigger/trigger-agent.js';
import { webhookAgent } from './webhook/webhook-agent.js';

/** An agent type without its option type; `runAgent` in options.ts runs it. */
export type AgentType = AgentDefinition<never>;

/** THE list of agent types that can run. */
export const AGENT_TYPES: ReadonlyMap<string, AgentType> = new Map(
  [
    anyAgent(webhookAgent),
    anyAgent(eventTransformationAgent),
    anyAgent(triggerAgent),
    anyAgent(httpRequestAgent),
    anyAgent(emailAgent),
    anyAgent(sendToStoryAgent),
    anyAgent(recordAgent),
  ].map((agent) => [agent.type, agent]),
);

/** Types of the export format that can be stored, but not run (spec §3.3), with the reason. */
export const IMPORT_ONLY_TYPES: ReadonlyMap<string, string> = new Map([
  ['Agents::FormAgent', 'pages and forms are not shown by this server'],
  ['Agents::IMAPAgent', 'this server does not read mailboxes'],
  ['Agents::RunScriptAgent', 'this server does not run scripts'],
  ['Agents::LLMAgent', 'this server does not call language models'],
]);

/** Returns the agent type with this name in exports; undefined if it cannot run here. */
export function findAgentType(type: string): AgentType | undefined {
  return AGENT_TYPES.get(type);
}

/**
 * Returns the faults in a story's options before their templates are rendered: only those that no value could
 * cure, such as `rules: 5` (spec §3.3). `details` is the path within the options (`rules[0]`).
 */
export function checkOptions(type: string, options: JsonObject): Problem[] {
  const agent = findAgentType(type);
  if (agent === undefined) return [];
  const mode = type === eventTransformationAgent.type ? modeOptions(options) : undefined;
  return [...wrongKinds(agent.options, options), ...(mode === undefined ? [] : wrongKinds(mode, options))];
}

/** Whether the type or mode is one of the export format that this server stores and never runs; false: it is unknown. */
export function isStoredOnly(type: string, options: JsonObject): boolean {
  if (!AGENT_TYPES.has(type)) return IMPORT_ONLY_TYPES.has(type);
  return type === recordAgent.type || isStoredMode(options.mode);
}

/** Returns the reason why an action with these options can be stored but not run; undefined if it can run (spec §3.3). */
export function runnable(type: string, options: JsonObject): string | undefined {
  if (!AGENT_TYPES.has(type)) return IMPORT_ONLY_TYPES.get(type) ?? `this server has no action type ${type}`;
  if (type === recordAgent.type) return recordModeNotRunnable(options);
  return type === eventTransformationAgent.type ? modeNotRunnable(options) : undefined;
}
