import type { JsonObject } from '../platform/json.js';

/** The keys that are new, gone, or have another value; those of `after` first. */
export function changedKeys(before: JsonObject, after: JsonObject): string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter((key) => valueAt(before, key) !== valueAt(after, key));
}

/** The value as JSON; undefined when the object has no such key of its own. */
function valueAt(object: JsonObject, key: string): string | undefined {
  return Object.hasOwn(object, key) ? JSON.stringify(object[key]) : undefined;
}
