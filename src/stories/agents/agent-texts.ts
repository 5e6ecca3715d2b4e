import { isJsonObject, type JsonValue } from '../../platform/json.js';
import type { ExportAgent } from '../export/export-form.js';

/** A text of an agent that may hold templates. */
export interface AgentText {
  /** The path within the agent: `options.payload.fields[0].text`, `record_writers[0].formula`. */
  place: string;
  text: string;
}

/** Returns every text of an agent that may hold templates: those in its options, and the formulas of record fields. */
export function agentTexts({ options, record_writers: writers }: ExportAgent): AgentText[] {
  return [...textsIn(options, 'options'), ...writerTexts(writers)];
}

/** The formulas of record fields stand beside the options (spec §6.3). */
function writerTexts(writers: JsonValue | undefined): AgentText[] {
  if (!Array.isArray(writers)) return [];
  return writers.flatMap((writer, index) =>
    isJsonObject(writer) ? textsIn(writer.formula ?? null, `record_writers[${index}].formula`) : [],
  );
}

function textsIn(value: JsonValue, place: string): AgentText[] {
  if (typeof value === 'string') return [{ place, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${place}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, `${place}.${key}`));
}
