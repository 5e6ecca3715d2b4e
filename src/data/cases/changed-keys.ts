import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Returns the keys that were added, removed or changed; keys of `after` first. */
export function changedKeys(before: JsonObject, after: JsonObject): string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter((key) => valueAt(before, key) !== valueAt(after, key));
}

/** Returns the value as JSON; undefined if the object has no own key of this name. */
function valueAt(object: JsonObject, key: string): string | undefined {
  return Object.hasOwn(object, key) ? stringifyJson(object[key]) : undefined;
}
