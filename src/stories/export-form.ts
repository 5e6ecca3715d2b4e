import type { JsonObject, JsonValue } from '../platform/json.js';

/** A link as exports write it: zero-based positions in `agents` (spec §3.4). */
export interface ExportLink extends JsonObject {
  source: number;
  receiver: number;
}

/** An agent as exports write it; keys the runtime does not use come along. */
export interface ExportAgent extends JsonObject {
  type: string;
  name: string;
  options: JsonObject;
}

/**
 * A story as exports write it (spec §3.4), after its structure was checked.
 * At the top of an import its name is the one it is imported under.
 */
export interface StoryExport extends JsonObject {
  name: string;
  schema_version: number;
  agents: ExportAgent[];
  links: ExportLink[];
}

/** Keys that live in columns or tables of their own; what `extra` holds of them is their place and origin. */
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
 * What is stored of an exported object besides its columns: every key in its order, so that the export has the
 * same shape. Column keys are blank, but for those in `keep` (the guid in the export: later imports match on it).
 */
export function toExtra(exported: JsonObject, columns: string[], keep: string[] = []): JsonObject {
  return mapValues(exported, (value, key) => (columns.includes(key) && !keep.includes(key) ? null : value));
}

/**
 * The exported object again: the keys of `extra`, with the columns' values in their places. A column whose key
 * was not in the import is added when its value is another than the one in `defaults`.
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
  return Object.fromEntries([...Object.entries(filled), ...added]);
}

/** The object with each value replaced; keys such as `__proto__` stay ordinary keys. */
export function mapValues(object: JsonObject, map: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
