import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';

/** The types that `$type` knows. */
export const MATCHED_TYPES = ['text', 'number', 'boolean', 'list', 'object', 'null', 'time', 'guid'] as const;
export type MatchedType = (typeof MATCHED_TYPES)[number];

/** A value that says which values are expected, instead of being one (docs/build/tests.md, Matchers). */
export type ValueMatcher =
  | { $any: true }
  | { $absent: true }
  | { $type: MatchedType }
  | { $pattern: string }
  | { $contains: JsonValue }
  | { $equal: JsonValue };

const NAMES = new Set(['$any', '$absent', '$type', '$pattern', '$contains', '$equal']);

/** Returns the name of the matcher that this value is, known or not: its only key, if it begins with `$`. */
export function matcherName(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const [name, ...others] = Object.keys(value);
  return name?.startsWith('$') === true && others.length === 0 ? name : undefined;
}

/** Returns the matcher that this value is; undefined: it is an ordinary value. */
export function asMatcher(value: JsonValue | undefined): ValueMatcher | undefined {
  const name = matcherName(value);
  return name !== undefined && NAMES.has(name) ? (value as unknown as ValueMatcher) : undefined;
}

/** Returns the value as a test expects exactly it: an object that looks like a matcher is wrapped. */
export function exactly(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(exactly);
  if (!isJsonObject(value)) return value;
  if (matcherName(value) !== undefined) return { $equal: value };
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => [key, exactly(item)]);
  return orderedObject(entries);
}
