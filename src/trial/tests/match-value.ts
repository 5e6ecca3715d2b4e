import { compilePattern } from '../../language/face.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { isEqualJson } from '../../platform/json/equal-json.js';
import { isNumeric } from '../../platform/json/exact-number.js';
import { asMatcher, type MatchedType, joinedPath, type ValueMatcher } from '../../stories/face.js';

/** A place where a value is not as expected. */
export interface Mismatch {
  /** `body.items[0]`; empty: the value itself. */
  path: string;
  /** A value, or a matcher. */
  expected: JsonValue;
  /** Undefined: there is none. */
  found: JsonValue | undefined;
}

/** Most places that are told of one value. */
const MOST_MISMATCHES = 50;

/**
 * Returns where a value is not as expected: at most 50 places. Objects match by the expected keys, others are free; lists
 * match in length and order.
 */
export function mismatchesOf(expected: JsonValue, found: JsonValue | undefined): Mismatch[] {
  const mismatches: Mismatch[] = [];
  note(expected, found, '', mismatches);
  return mismatches;
}

function note(expected: JsonValue, found: JsonValue | undefined, path: string, into: Mismatch[]): void {
  if (into.length >= MOST_MISMATCHES) return;
  const matcher = asMatcher(expected);
  if (matcher !== undefined) {
    if (!fits(matcher, found)) into.push({ path, expected, found });
    return;
  }
  if (isJsonObject(expected) && isJsonObject(found)) {
    for (const [key, value] of Object.entries(expected))
      note(value, own(found, key), joinedPath(path, key), into);
    return;
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    for (const [index, item] of expected.entries()) note(item, found[index], `${path}[${index}]`, into);
    return;
  }
  if (found === undefined || !isEqualJson(expected, found)) into.push({ path, expected, found });
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function fits(matcher: ValueMatcher, found: JsonValue | undefined): boolean {
  if ('$absent' in matcher) return found === undefined;
  if (found === undefined) return false;
  if ('$any' in matcher) return true;
  if ('$equal' in matcher) return isEqualJson(matcher.$equal, found);
  if ('$type' in matcher) return IS_OF_TYPE[matcher.$type](found);
  if ('$pattern' in matcher) return typeof found === 'string' && compilePattern(matcher.$pattern).test(found);
  return contains(found, matcher.$contains);
}

/** ISO 8601, as the product writes times. */
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z| ?[+-]\d{2}:?\d{2})?$/;
const GUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const IS_OF_TYPE: Record<MatchedType, (value: JsonValue) => boolean> = {
  text: (value) => typeof value === 'string',
  number: isNumeric,
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: isJsonObject,
  null: (value) => value === null,
  time: (value) =>
    typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value.slice(0, 10))),
  guid: (value) => typeof value === 'string' && GUID.test(value),
};

/** Returns true if the value is of the type that `$type` names. */
export function isOfMatchedType(value: JsonValue, type: MatchedType): boolean {
  return IS_OF_TYPE[type](value);
}

/** A text contains a text; a list contains an element that matches, or each of a list; an object the keys of an object. */
function contains(found: JsonValue, part: JsonValue): boolean {
  if (typeof found === 'string') return typeof part === 'string' && found.includes(part);
  if (Array.isArray(found)) {
    const parts = Array.isArray(part) ? part : [part];
    return parts.every((wanted) => found.some((item) => mismatchesOf(wanted, item).length === 0));
  }
  return mismatchesOf(part, found).length === 0;
}
