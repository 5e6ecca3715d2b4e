import type { JsonObject, JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';

/** A link in the export form: zero-based positions in `agents` (spec §3.4). */
export interface ExportLink extends JsonObject {
  source: number;
  receiver: number;
}

/** An agent in the export form; keys that the engine does not use are preserved. */
export interface ExportAgent extends JsonObject {
  type: string;
  name: string;
  options: JsonObject;
}

/**
 * A story in the export form (spec §3.4), with its structure checked.
 * The top story of an import has the name under which it is imported.
 */
export interface StoryExport extends JsonObject {
  name: string;
  schema_version: number;
  agents: ExportAgent[];
  links: ExportLink[];
}

/** Keys with columns or tables of their own; `extra` keeps only their position, and the guid in the export. */
export const STORY_COLUMNS = [
  'schema_version',
  'name',
  'description',
  'guid',
  'keep_events_for',
  'disabled',
  'priority',
  'synchronous_webhooks_enabled',
  'agents',
  'links',
  'exported_at',
];
export const AGENT_COLUMNS = ['type', 'name', 'disabled', 'guid', 'options', 'keep_events_for'];
export const LINK_COLUMNS = ['source', 'receiver', 'link_type'];

/**
 * Returns the keys of an exported object in their order, so that the export has the same shape. The values of column
 * keys are null, except those in `keep` (the guid in the export: later imports match on it).
 */
export function toExtra(exported: JsonObject, columns: string[], keep: string[] = []): JsonObject {
  return mapValues(exported, (value, key) => (columns.includes(key) && !keep.includes(key) ? null : value));
}

/**
 * Rebuilds the exported object: the keys of `extra`, with the columns' values in their positions. A column whose key
 * was not in the import is added if its value differs from `defaults`.
 */
export function fromExtra(extra: JsonObject, columns: JsonObject, defaults: JsonObject = {}): JsonObject {
  // Own keys only: an export may have a key such as `constructor`.
  const filled = mapValues(extra, (value, key) =>
    Object.hasOwn(columns, key) ? (columns[key] ?? null) : value,
  );
  const added = Object.entries(columns).filter(
    ([key, value]) =>
      !Object.hasOwn(extra, key) && !(Object.hasOwn(defaults, key) && value === defaults[key]),
  );
  if (added.length === 0) return filled;
  return orderedObject([...Object.entries(filled), ...added]);
}

/** Returns the object with each value replaced; keys such as `__proto__` stay ordinary keys. */
export function mapValues(object: JsonObject, map: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return orderedObject(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
