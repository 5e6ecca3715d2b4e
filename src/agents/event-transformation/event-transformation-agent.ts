import Joi from 'joi';
import { PermanentJobError } from '../../errors.js';
import type { JsonObject, JsonValue } from '../../json.js';
import { defineAgent } from '../agent.js';
import { readOptions, word } from '../options.js';
import { refuseLoop } from '../unavailable.js';
import { MODES, modeReason } from './modes.js';

type TransformationOptions = JsonObject & { mode: string; loop?: JsonValue };

/** Makes new events out of the one it gets, in one of several modes (docs/agents.md, Event transformation). */
export const eventTransformationAgent = defineAgent<TransformationOptions>({
  type: 'Agents::EventTransformationAgent',
  queue: 'event-transformation',
  options: Joi.object({ mode: word().required(), loop: Joi.any() }).unknown(true),
  valueOptions: ['path', 'payload', 'loop'],
  run(options, context) {
    const mode = MODES.get(options.mode);
    if (mode === undefined) throw new PermanentJobError(modeReason(options.mode));
    refuseLoop(options);
    const payloads = mode.run(readOptions<never>(mode.options, options), context);
    return { outputs: payloads.map((payload) => ({ payload })) };
  },
});
