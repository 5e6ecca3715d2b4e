import { isJsonObject, type JsonObject } from '../../platform/json.js';
import type { AgentNode } from '../graph/story-graph.js';

/** The agent type whose settings stand beside its options in exports. */
export const RECORD_TYPE = 'Agents::RecordAgent';

/**
 * Returns an action's options with its record settings, which stand beside the options (spec §6.3).
 * Settings inside the options take precedence.
 */
export function withRecordSettings(
  { type, options }: Pick<AgentNode, 'type' | 'options'>,
  extra: JsonObject | undefined,
): JsonObject {
  if (type !== RECORD_TYPE || extra === undefined) return options;
  const { record_type: ownType, record_writers: ownWriters } = options;
  return {
    ...options,
    record_type: isJsonObject(ownType) ? ownType : (extra.record_type ?? null),
    record_writers: Array.isArray(ownWriters) ? ownWriters : (extra.record_writers ?? null),
  };
}
