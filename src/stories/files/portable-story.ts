import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { HIDDEN } from '../../platform/secrets/hidden-secrets.js';
import { atOnce } from '../../platform/steps.js';
import { hiddenExport } from '../agents/hidden-options.js';
import { mapValues } from '../export/export-form.js';
import type { StoredStory } from '../export/story-export-store.js';
import { mapGuids } from '../import/plan/guid-map.js';

/**
 * Returns an export as files hold it: without the time of the export, and with `[hidden]` in place of the secrets of its
 * webhooks, also where an address stands in a text. Guids are those of the export: see `withOriginGuids`.
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
 * Returns the export of a story with the guids that it and its actions came with. So several servers that share files name
 * the same things in the same way.
 */
export function withOriginGuids(exported: JsonObject, story: StoredStory): JsonObject {
  const origins = new Map<string, string>();
  const taken = new Set(story.agents.map(({ columns }) => columns.guid));
  for (const { columns, extra } of story.agents) {
    const { guid } = columns;
    const origin = extra.guid;
    if (typeof guid !== 'string' || typeof origin !== 'string' || origin === '' || taken.has(origin))
      continue;
    taken.add(origin);
    origins.set(guid, origin);
  }
  const originOf = (guid: JsonValue): JsonValue =>
    typeof guid === 'string' ? (origins.get(guid) ?? guid) : guid;
  return mapValues(mapGuids(exported, origins) as JsonObject, (value, key) => {
    if (key === 'guid') return typeof story.extra.guid === 'string' ? story.extra.guid : value;
    if (key !== 'agents' || !Array.isArray(value)) return value;
    return value.map((agent) =>
      isJsonObject(agent)
        ? mapValues(agent, (part, name) => (name === 'guid' ? originOf(part) : part))
        : agent,
    );
  });
}

/**
 * Returns the story with the whole texts where `portableStory` hides a part of them, as the first of `states` has them: exports
 * of the story with all secrets. `lost` has the texts that hide something nobody knows: they must not be written.
 */
export function withHiddenTexts(
  story: JsonObject,
  ...states: readonly JsonObject[]
): { story: JsonObject; lost: string[] } {
  const known = new Map<string, string>();
  for (const exported of states) noteTexts(exported, atOnce(hiddenExport(exported)), known);
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

const LONGEST_SHOWN = 100;

/** Returns what is told of a text of `lost`. */
export function lostText(text: string): string {
  return `a text hides a secret that the server does not know there, write it without "${HIDDEN}": ${text.slice(0, LONGEST_SHOWN)}`;
}

/** Notes the text for each that is hidden, unless one is noted; both values have the same form. */
function noteTexts(whole: JsonValue, hidden: JsonValue, known: Map<string, string>): void {
  const note = (shown: string, text: string) => {
    if (!known.has(shown)) known.set(shown, text);
  };
  if (typeof whole === 'string' && typeof hidden === 'string') note(hidden, whole);
  else if (Array.isArray(whole) && Array.isArray(hidden)) {
    for (const [index, item] of whole.entries()) noteTexts(item, hidden[index] ?? null, known);
  } else if (isJsonObject(whole) && isJsonObject(hidden)) {
    const shown = Object.entries(hidden);
    for (const [index, [key, item]] of Object.entries(whole).entries()) {
      const [hiddenKey = key, hiddenItem = null] = shown[index] ?? [];
      note(hiddenKey, key);
      noteTexts(item, hiddenItem, known);
    }
  }
}
