import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** A place within a value where two values differ. */
export interface ValueChange {
  /** `headers.Accept`, `rules[0].value`; empty for the value itself. */
  path: string;
  /** undefined: absent before. */
  before: JsonValue | undefined;
  /** undefined: absent afterwards. */
  after: JsonValue | undefined;
}

/** Returns true if the two are equal as JSON texts, key order included. */
export function sameJson(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before === after || stringifyJson(before) === stringifyJson(after);
}

/** Returns the places where the values differ, as deep as both are lists or objects. The order of keys does not count. */
export function changesBetween(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
): ValueChange[] {
  if (sameJson(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) return changedKeys(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return changedItems(before, after, path);
  return [{ path, before, after }];
}

function changedKeys(before: JsonObject, after: JsonObject, path: string): ValueChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changesBetween(own(before, key), own(after, key), joinedPath(path, key)));
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns the path of a key in the value at `path`: `headers.Accept`. */
export function joinedPath(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Items are compared between the equal start and the equal end of the lists, so that an inserted one is one change. */
function changedItems(before: JsonValue[], after: JsonValue[], path: string): ValueChange[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && sameJson(before[start], after[start])) start += 1;
  let end = 0;
  while (end < most - start && sameJson(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const [old, made] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const length = Math.max(old.length, made.length);
  return Array.from({ length }, (_, index) =>
    changesBetween(old[index], made[index], `${path}[${start + index}]`),
  ).flat();
}
