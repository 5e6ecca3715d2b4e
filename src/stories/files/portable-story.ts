import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { HIDDEN } from '../../platform/secrets/hidden-secrets.js';
import { atOnce } from '../../platform/steps.js';
import { hiddenExport } from '../agents/hidden-options.js';

/**
 * Returns an export as files hold it: without the time of the export, and with `[hidden]` in place of the secrets of its
 * webhooks, also where an address stands in a text.
 */
export function portableStory(exported: JsonObject): JsonObject {
  return withoutTime(atOnce(hiddenExport(exported)));
}

function withoutTime(story: JsonObject): JsonObject {
  const entries = Object.entries(story)
    .filter(([key]) => key !== 'exported_at')
    .map(([key, value]): [string, JsonValue] => [key, key === 'send_to_stories' ? embedded(value) : value]);
  return orderedObject(entries);
}

function embedded(list: JsonValue): JsonValue {
  return Array.isArray(list) ? list.map((item) => (isJsonObject(item) ? withoutTime(item) : item)) : list;
}

/**
 * Returns the story with the texts of `exported`, its present state with all secrets, where `portableStory` hides a part of
 * them. `lost` has the texts that hide something nobody knows: they must not be written.
 */
export function withHiddenTexts(
  story: JsonObject,
  exported: JsonObject,
): { story: JsonObject; lost: string[] } {
  const known = new Map<string, string>();
  noteTexts(exported, atOnce(hiddenExport(exported)), known);
  const lost = new Set<string>();

  function restored(value: JsonValue): JsonValue {
    if (typeof value === 'string') return textOf(value);
    if (Array.isArray(value)) return value.map(restored);
    if (!isJsonObject(value)) return value;
    return orderedObject(Object.entries(value).map(([key, item]) => [textOf(key), restored(item)] as const));
  }

  function textOf(text: string): string {
    // The secret of a webhook alone: the server keeps what it has.
    if (text === HIDDEN || !text.includes(HIDDEN)) return text;
    const original = known.get(text);
    if (original === undefined) lost.add(text);
    return original ?? text;
  }

  return { story: restored(story) as JsonObject, lost: [...lost] };
}

/** Notes the text for each that is hidden; both values have the same form. */
function noteTexts(whole: JsonValue, hidden: JsonValue, known: Map<string, string>): void {
  if (typeof whole === 'string' && typeof hidden === 'string') known.set(hidden, whole);
  else if (Array.isArray(whole) && Array.isArray(hidden)) {
    for (const [index, item] of whole.entries()) noteTexts(item, hidden[index] ?? null, known);
  } else if (isJsonObject(whole) && isJsonObject(hidden)) {
    const shown = Object.entries(hidden);
    for (const [index, [key, item]] of Object.entries(whole).entries()) {
      const [hiddenKey = key, hiddenItem = null] = shown[index] ?? [];
      known.set(hiddenKey, key);
      noteTexts(item, hiddenItem, known);
    }
  }
}
