import { BadRequest } from '../../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';

const MAX_SEGMENTS = 32;
const GROUPS = /\[([^[\]]*)\]/g;
const NESTED_NAME = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;

/**
 * Puts `value` where a form field's name says, as Rails does: `a[]` appends to a list, `a[b]` is a key,
 * `a[][b]` fills the list's last object until it has a `b`. The last of equal names wins, also over a value
 * of another kind. Own code rather than qs: qs drops names such as `constructor`, makes lists of `a[0]`,
 * starts a new object for every `a[][b]`, and takes no files.
 * @throws BadRequest for more than 32 levels.
 */
export function setNested(target: JsonObject, name: string, value: JsonValue): void {
  const segments = splitName(name);
  let node = target;
  let [key = name] = segments;
  for (let at = 1; at < segments.length; at += 1) {
    const segment = segments[at] ?? '';
    if (segment !== '') {
      node = childObject(node, key);
      key = segment;
      continue;
    }
    const list = childList(node, key);
    const rest = segments.slice(at + 1);
    if (rest.length === 0) {
      list.push(value);
      return;
    }
    node = lastObjectWithout(list, rest);
    key = rest[0] ?? '';
    at += 1;
  }
  setOwn(node, key, value);
}

/** `a[b][]` → `['a', 'b', '']`. A malformed name is one key, unchanged. */
function splitName(name: string): string[] {
  if (!name.includes('[')) return [name];
  if (hasMoreBrackets(name, MAX_SEGMENTS - 1)) {
    throw new BadRequest(`A parameter name is nested deeper than ${MAX_SEGMENTS} levels`);
  }
  const [, first, groups] = NESTED_NAME.exec(name) ?? [];
  if (first === undefined || groups === undefined || groups.includes('[][]')) return [name];
  return [first, ...Array.from(groups.matchAll(GROUPS), ([, inner = '']) => inner)];
}

/** Checked before the name is split, because it may have millions of brackets. */
function hasMoreBrackets(name: string, most: number): boolean {
  let at = -1;
  for (let count = 0; count <= most; count += 1) {
    at = name.indexOf('[', at + 1);
    if (at === -1) return false;
  }
  return true;
}

function childObject(node: JsonObject, key: string): JsonObject {
  const existing = getOwn(node, key);
  if (isJsonObject(existing)) return existing;
  const made: JsonObject = {};
  setOwn(node, key, made);
  return made;
}

function childList(node: JsonObject, key: string): JsonValue[] {
  const existing = getOwn(node, key);
  if (Array.isArray(existing)) return existing;
  const made: JsonValue[] = [];
  setOwn(node, key, made);
  return made;
}

function lastObjectWithout(list: JsonValue[], path: string[]): JsonObject {
  const last = list.at(-1);
  if (isJsonObject(last) && !hasPath(last, path)) return last;
  const made: JsonObject = {};
  list.push(made);
  return made;
}

function hasPath(object: JsonObject, path: string[]): boolean {
  let value: JsonValue | undefined = object;
  for (const segment of path) {
    if (segment === '' || !isJsonObject(value)) return false;
    value = getOwn(value, segment);
  }
  return value !== undefined;
}

function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** `__proto__` is a key like any other, and never reaches an object's prototype. */
function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
