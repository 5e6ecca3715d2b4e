import type Joi from 'joi';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { AgentContext, AgentResult } from '../agent.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import type { OptionChecks } from '../options/option-rules.js';
import { SETTING_NAMES } from '../setting-names.js';

/** One transformation: a value of the option `mode`. */
export interface TransformationMode<Options> {
  options: Joi.Schema<Options>;
  /** Rules of its options that the schema does not have. */
  checks?: OptionChecks;
  /** It cannot run once for each element of a list. */
  loops?: false;
  /** Whether options without a name in the schema have an effect. */
  takesAnyName?(options: JsonObject): boolean;
  /** Whether it reads `context.event` beyond the values that its templates name; `options` are not rendered yet. */
  readsWholeEvent?(options: JsonObject): boolean;
  /** Returns the payloads to emit, one event for each, or another kind of result. */
  run(options: Options, context: AgentContext): JsonValue[] | AgentResult;
}

/** Returns the mode without its option type, so that it fits the list of modes; the type checker checks its shape. */
export function defineMode<Options>(mode: TransformationMode<Options>): TransformationMode<never> {
  return mode as unknown as TransformationMode<never>;
}

/** Returns the options without the settings that every mode may have. */
export function freeKeys(options: JsonObject): JsonObject {
  return orderedObject(Object.entries(options).filter(([key]) => key !== 'mode' && !SETTING_NAMES.has(key)));
}
