import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { mapValues } from '../../export/export-form.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';

/** Maps the guids of an export to the guids on this server. */
export type GuidMap = ReadonlyMap<string, string>;

/** Keys whose values are guids of agents: `entry_agent_guid`, `form.agent_guid`, `integrations[].action_guid` … */
const GUID_KEY = /(^|_)(agent|action)_guids?$/;

/** Returns true for a key whose value is the guid of an agent, or a list of guids. */
export function isGuidKey(key: string): boolean {
  return GUID_KEY.test(key);
}

/**
 * Replaces every reference to an agent (spec §3.3). Changes only the keys that hold guids: a guid may be any text,
 * and the same text may occur elsewhere. Guids without an agent stay.
 */
export function mapGuids(value: JsonValue, guids: GuidMap): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapGuids(item, guids));
  if (!isJsonObject(value)) return value;
  return mapValues(value, (item, key) => {
    if (key === 'diagram_layout') return mapLayout(item, guids);
    return isGuidKey(key) ? mapReference(item, guids) : mapGuids(item, guids);
  });
}

function mapReference(value: JsonValue, guids: GuidMap): JsonValue {
  if (typeof value === 'string') return guids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => mapReference(item, guids));
  return mapGuids(value, guids);
}

/** A JSON string, and the colon after it if it is a key. */
const JSON_TEXT = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/**
 * The layout is an object from guid to position, as JSON text; an object is accepted too. In a text only the keys
 * change: serialising it again would turn `105.0` into `105`, and put numeric keys first.
 */
function mapLayout(layout: JsonValue, guids: GuidMap): JsonValue {
  if (typeof layout !== 'string') return isJsonObject(layout) ? mapKeys(layout, guids) : layout;
  if (parseLayout(layout) === undefined) return layout;
  return layout.replaceAll(JSON_TEXT, (whole: string, text: string, colon: string | undefined) => {
    const guid = colon === undefined ? undefined : guids.get(JSON.parse(text) as string);
    return guid === undefined ? whole : `${JSON.stringify(guid)}${colon}`;
  });
}

/** Parses the text of a layout; undefined if it is not a JSON object. */
export function parseLayout(layout: string): JsonObject | undefined {
  try {
    const parsed = JSON.parse(layout) as unknown;
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined; // not JSON: the caller decides what that means
  }
}

function mapKeys(layout: JsonObject, guids: GuidMap): JsonObject {
  return orderedObject(Object.entries(layout).map(([guid, position]) => [guids.get(guid) ?? guid, position]));
}
