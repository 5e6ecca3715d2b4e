import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { type IdMaps, mapOf } from './id-map.js';

type Cell = string | Buffer | null | undefined;
type NewId = (oldId: number) => number;

/** Changes an object in a JSON text; numbers keep their digits. Any other text stays as it is. */
export function changedJson(text: Cell, change: (object: JsonObject) => JsonObject): string | null {
  if (text === null || text === undefined) return null;
  const value = parseJson(String(text));
  return isJsonObject(value) ? stringifyJson(change(value)) : String(text);
}

/** Returns the object with new ids as its keys. */
export function mapKeys(object: JsonObject, newId: NewId): JsonObject {
  return orderedObject(
    Object.entries(object).map(([key, value]) => [
      /^\d+$/.test(key) ? String(newId(Number(key))) : key,
      value,
    ]),
  );
}

/** Returns a stored lineage with new ids of its events. */
export function movedLineage(text: string, newId: NewId): string {
  const lineage = Object.entries(parseJson(text) as Record<string, number>);
  return stringifyJson(orderedObject(lineage.map(([slug, id]) => [slug, newId(id)])));
}

const SEND_TO_STORY = 'Agents::SendToStoryAgent';

/** Returns an action's options; a Send to story action that names its story by id gets the new id. */
export function movedOptions(row: Readonly<Record<string, Cell>>, newStoryId: NewId): string {
  const options = String(row['options'] ?? '');
  if (row['type'] !== SEND_TO_STORY) return options;
  const { story } = parseJson(options) as JsonObject;
  if ((typeof story !== 'string' && typeof story !== 'number') || !/^\d+$/.test(String(story)))
    return options;
  const id = newStoryId(Number(story));
  return changedJson(options, (given) =>
    orderedObject(
      Object.entries(given).map(([key, value]) => [
        key,
        key === 'story' ? (typeof story === 'string' ? String(id) : id) : value,
      ]),
    ),
  ) as string;
}

/** Returns the content of a notice with new ids of its story and actions. */
export function movedNotice(notice: JsonObject, maps: IdMaps): JsonObject {
  const { story, actions } = notice;
  return {
    ...notice,
    ...(isJsonObject(story) && { story: withId(story, (id) => mapOf(maps, 'stories').of(id)) }),
    ...(Array.isArray(actions) && {
      actions: actions.map(
        (action): JsonValue =>
          isJsonObject(action) ? withId(action, (id) => mapOf(maps, 'agents').of(id)) : action,
      ),
    }),
  };
}

function withId(object: JsonObject, newId: NewId): JsonObject {
  return typeof object['id'] === 'number' ? { ...object, id: newId(object['id']) } : object;
}
