import Joi from 'joi';
import type { JsonObject, JsonValue } from '../platform/json.js';
import { defineAgent } from './agent.js';
import { word } from './options/options.js';

interface RecordOptions {
  record_type: { name: string };
  record_writers: { formula?: JsonValue; record_field: { name: string } }[];
}

const named = Joi.object({ name: word().required() }).unknown(true);
const writer = Joi.object({ formula: Joi.any(), record_field: named.required() }).unknown(true);
const CREATE = 'create';

/**
 * Writes a record and emits it (docs/build/agents.md, Record). Exports store `record_type` and `record_writers` beside the
 * options.
 */
export const recordAgent = defineAgent<RecordOptions>({
  type: 'Agents::RecordAgent',
  queue: 'event-transformation',
  options: Joi.object({
    mode: word().lowercase().valid(CREATE),
    record_type: named.empty(Joi.valid('', null)).required(),
    record_writers: Joi.array().items(writer).empty(Joi.valid('', null)).default([]),
  }).unknown(true),
  loops: false,
  rawOptions: ['record_type', 'record_writers.*.record_field'],
  run({ record_type: type, record_writers: writers }) {
    const values = writers.map(({ formula = null, record_field: field }) => ({
      field: field.name,
      value: formula,
    }));
    // The event's payload is built where the record is written.
    return {
      claim: { kind: 'record', recordType: type.name, values },
      granted: [{ payload: null }],
      refused: [],
    };
  },
});

/** Returns the reason why a record action with this mode cannot run; undefined if it can. */
export function recordModeNotRunnable({ mode }: JsonObject): string | undefined {
  const isCreate = typeof mode !== 'string' || ['', CREATE].includes(mode.trim().toLowerCase());
  return isCreate ? undefined : `a story can only create records; the mode "${mode}" is not supported`;
}
