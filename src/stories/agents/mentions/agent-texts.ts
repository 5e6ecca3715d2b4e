import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import type { ExportAgent, StoryExport } from '../../export/export-form.js';
import { actionInputsIn, inputOptions } from './action-inputs.js';

/** A text of an agent that may hold templates. */
export interface AgentText {
  /** The path within the agent: `options.payload.fields[0].text`, `record_writers[0].formula`, `INPUT.channel`. */
  place: string;
  text: string;
}

/**
 * Returns every text of an agent that may hold templates: those in its options, the formulas of record fields, and its
 * template inputs, which stand beside the agents of a story.
 */
export function agentTexts(
  { options, record_writers: writers }: ExportAgent,
  inputs: JsonObject | undefined,
): AgentText[] {
  return [...textsIn(options, 'options'), ...writerTexts(writers), ...textsIn(inputs ?? null, 'INPUT')];
}

/** Returns the template inputs of an agent of this story, by slug. */
export function inputsOfAgent(story: StoryExport): (agent: ExportAgent) => JsonObject | undefined {
  const inputs = actionInputsIn(story);
  return ({ guid }) => (typeof guid === 'string' ? inputOptions(inputs.get(guid)) : undefined);
}

/** The formulas of record fields stand beside the options (spec §6.3). */
function writerTexts(writers: JsonValue | undefined): AgentText[] {
  if (!Array.isArray(writers)) return [];
  return writers.flatMap((writer, index) =>
    isJsonObject(writer) ? textsIn(writer.formula ?? null, `record_writers[${index}].formula`) : [],
  );
}

/** Returns the texts in a value; `place` is the path of the value. */
export function textsIn(value: JsonValue, place: string): AgentText[] {
  if (typeof value === 'string') return [{ place, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${place}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, `${place}.${key}`));
}
