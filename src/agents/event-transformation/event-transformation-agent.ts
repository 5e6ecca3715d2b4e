import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { defineAgent } from '../agent.js';
import { oneOf, readOptions } from '../options/options.js';
import { MODES, modeReason } from './modes.js';

type TransformationOptions = JsonObject & { mode: string };

/** Makes new events from its input, in one of several modes (docs/build/agents.md, Event transformation). */
export const eventTransformationAgent = defineAgent<TransformationOptions>({
  type: 'Agents::EventTransformationAgent',
  queue: 'event-transformation',
  computes: true,
  options: Joi.object({ mode: oneOf(MODES.keys()).required() }).unknown(true),
  valueOptions: ['path', 'payload', 'item_path'],
  readsWholeEvent: (options) =>
    typeof options.mode === 'string' && MODES.get(options.mode)?.readsWholeEvent?.(options) === true,
  run(options, context) {
    const mode = MODES.get(options.mode);
    if (mode === undefined) throw new PermanentJobError(modeReason(options.mode));
    const result = mode.run(readOptions<never>(mode.options, options), context);
    return Array.isArray(result) ? { outputs: result.map((payload) => ({ payload })) } : result;
  },
});
