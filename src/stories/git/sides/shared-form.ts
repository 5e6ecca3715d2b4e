import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';
import { HIDDEN } from '../../../platform/secrets/hidden-secrets.js';
import { atOnce } from '../../../platform/steps.js';
import { hiddenExport } from '../../agents/hidden-options.js';
import { exportAlone } from '../../export/export.js';
import { mapValues } from '../../export/export-form.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { mapGuids } from '../../import/plan/guid-map.js';

/**
 * Returns a story as a repository has it: the export without secrets, with the guids that it and its actions came with. So
 * several servers that share a repository name the same things in the same way.
 */
export function sharedForm(story: StoredStory): JsonObject {
  return atOnce(hiddenExport(openForm(story)));
}

/** Returns the same with its secrets. */
function openForm(story: StoredStory): JsonObject {
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
  const { exported_at: _exportedAt, ...form } = exportAlone(story);
  const mapped = mapGuids(orderedObject(Object.entries(form)), origins) as JsonObject;
  return mapValues(mapped, (value, key) => {
    if (key === 'guid') return typeof story.extra.guid === 'string' ? story.extra.guid : value;
    if (key !== 'agents' || !Array.isArray(value)) return value;
    return value.map((agent) =>
      isJsonObject(agent)
        ? mapValues(agent, (part, name) => (name === 'guid' ? originOf(part) : part))
        : agent,
    );
  });
}

/** Returns a story of a repository in which texts without their secrets are whole again, where one of these has them. */
export function withSecretsOf(form: JsonObject, known: readonly StoredStory[]): JsonObject {
  const whole = new Map<string, string>();
  for (const story of known) {
    const open = openForm(story);
    gather(open, atOnce(hiddenExport(open)), whole);
  }
  return whole.size === 0 ? form : (shown(form, whole) as JsonObject);
}

/** Both have the same parts: only texts differ. */
function gather(open: JsonValue, hidden: JsonValue, whole: Map<string, string>): void {
  if (typeof open === 'string' && typeof hidden === 'string') {
    // A text that is nothing but a secret cannot be told from another: a webhook gets its secret from the story.
    if (open !== hidden && hidden !== HIDDEN && !whole.has(hidden)) whole.set(hidden, open);
  } else if (Array.isArray(open) && Array.isArray(hidden)) {
    for (const [index, item] of open.entries()) gather(item, hidden[index] ?? null, whole);
  } else if (isJsonObject(open) && isJsonObject(hidden)) {
    for (const [key, item] of Object.entries(open)) gather(item, hidden[key] ?? null, whole);
  }
}

function shown(value: JsonValue, whole: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return whole.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => shown(item, whole));
  return isJsonObject(value) ? mapValues(value, (item) => shown(item, whole)) : value;
}
