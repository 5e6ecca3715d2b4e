import type { JsonObject, JsonValue } from '../../platform/json.js';
import { jsonMembers } from '../../platform/json/json-members.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { TESTS_KEY } from './story-test.js';

const MARK = JSON.stringify(TESTS_KEY);

/**
 * Returns the stored foreign keys of a story without its tests, which are not even parsed: they may have megabytes, and
 * whoever runs a story needs none of them.
 */
export function parseWithoutTests(extra: string): JsonObject {
  const members = extra.includes(MARK) ? jsonMembers(extra, Number.POSITIVE_INFINITY) : undefined;
  if (members === undefined) return parseJson(extra) as JsonObject;
  const others = [...members.texts].filter(([key]) => key !== TESTS_KEY);
  return orderedObject(others.map(([key, text]): [string, JsonValue] => [key, parseJson(text)]));
}
