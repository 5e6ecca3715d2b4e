import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { isEqualJson } from '../../../platform/json/equal-json.js';
import { isNumeric } from '../../../platform/json/exact-number.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';
import { exactly, TEST_KINDS, type TestExpectation } from '../../../stories/face.js';
import { isOfMatchedType } from '../match-value.js';
import type { Observed } from '../observed.js';

/** Headers that every request has, or that no author has written. */
const NOT_KEPT = new Set(['user-agent', 'idempotency-key', 'content-length', 'accept-encoding', 'host']);

/**
 * Returns what a test expects of a story that does this. `again`: the same at another time, with other ids and random values;
 * what differs between the two is a matcher. `reached`: names of actions that were reached; those that emitted nothing must
 * not emit anything. An action whose list has another length in `again` is left out.
 */
export function expectationOf(
  observed: Observed,
  again: Observed,
  reached: Iterable<string>,
): TestExpectation {
  const expect: TestExpectation = {};
  for (const kind of TEST_KINDS) {
    const entries = [...observed[kind]].flatMap(([action, items]): [string, JsonValue[]][] => {
      const others = again[kind].get(action) ?? [];
      if (others.length !== items.length) return [];
      const kept = kind === 'requests' ? withoutOwnHeaders : (item: JsonValue) => item;
      return [[action, items.map((item, index) => varying(kept(item), kept(others[index] ?? null)))]];
    });
    const silent = kind === 'events' ? [...reached].filter((name) => isSilent(name, observed, again)) : [];
    entries.push(...silent.map((name): [string, JsonValue[]] => [name, []]));
    if (entries.length > 0) expect[kind] = orderedObject(entries);
  }
  return expect;
}

function isSilent(name: string, ...all: Observed[]): boolean {
  return all.every(({ events, errors }) => !events.has(name) && !errors.has(name));
}

function withoutOwnHeaders(request: JsonValue): JsonValue {
  if (!isJsonObject(request)) return request;
  const { headers, ...rest } = request;
  if (!isJsonObject(headers)) return request;
  const kept = Object.entries(headers).filter(([name]) => !NOT_KEPT.has(name));
  return mergedObjects<JsonValue>(rest, kept.length > 0 ? { headers: orderedObject(kept) } : {});
}

/** Returns the value as a test expects it, with a matcher in each place where the other run has another value. */
function varying(value: JsonValue, other: JsonValue): JsonValue {
  if (isJsonObject(value) && isJsonObject(other) && isSameKeys(value, other)) {
    const plain = exactly(value);
    // An object that looks like a matcher is expected whole.
    if (!isJsonObject(plain) || !isSameKeys(plain, value)) return plain;
    return orderedObject(
      Object.entries(value).map(([key, item]): [string, JsonValue] => [
        key,
        varying(item, other[key] ?? null),
      ]),
    );
  }
  if (Array.isArray(value) && Array.isArray(other) && value.length === other.length) {
    return value.map((item, index) => varying(item, other[index] ?? null));
  }
  return isEqualJson(value, other) ? exactly(value) : typeOfBoth(value, other);
}

const TYPES = ['guid', 'time', 'text', 'boolean', 'list', 'object'] as const;

function typeOfBoth(value: JsonValue, other: JsonValue): JsonValue {
  if (isNumeric(value) && isNumeric(other)) return { $type: 'number' };
  const type = TYPES.find((name) => isOfMatchedType(value, name) && isOfMatchedType(other, name));
  return type === undefined ? { $any: true } : { $type: type };
}

function isSameKeys(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key));
}
