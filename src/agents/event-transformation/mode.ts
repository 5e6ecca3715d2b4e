import type Joi from 'joi';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { AgentContext, AgentResult } from '../agent.js';

/** One way to make events out of events: a value of the option `mode`. */
export interface Mode<Options> {
  options: Joi.Schema<Options>;
  /** Whether it reads `context.event` besides what its templates name; `options` are not rendered yet. */
  readsWholeEvent?(options: JsonObject): boolean;
  /** The payloads to emit, one event for each; or what else it comes to. */
  run(options: Options, context: AgentContext): JsonValue[] | AgentResult;
}

/** Options of every mode that say nothing about what is emitted. */
const SETTINGS = new Set([
  'mode',
  'loop',
  'local',
  'expected_update_period_in_days',
  'manual_time',
  'placeholders',
]);

/** Keeps the option type of a mode while checking its shape, and forgets it for the list of modes. */
export function defineMode<Options>(mode: Mode<Options>): Mode<never> {
  return mode as unknown as Mode<never>;
}

/** The options that are the story's own: all but the settings every mode may have. */
export function freeKeys(options: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([key]) => !SETTINGS.has(key)));
}
