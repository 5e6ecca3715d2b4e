import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { sameJson } from '../diff/value-changes.js';
import { TESTS_KEY } from './story-test.js';

/** What a change does to the tests of a story. */
export interface TestChanges {
  /** How many the story has before and after. */
  before: number;
  after: number;
  /** Names of the tests that it takes away, and of those that it writes otherwise. */
  removed: string[];
  changed: string[];
}

/** Returns what differs between the tests in the extra keys of a story before and after a change. */
export function testChanges(before: JsonObject, after: JsonObject): TestChanges {
  const [were, are] = [testsByName(before), testsByName(after)];
  return {
    before: were.size,
    after: are.size,
    removed: [...were.keys()].filter((name) => !are.has(name)),
    changed: [...were].flatMap(([name, test]) =>
      are.has(name) && !sameJson(test, are.get(name)) ? [name] : [],
    ),
  };
}

function testsByName({ [TESTS_KEY]: tests }: JsonObject): Map<string, JsonValue> {
  const list = Array.isArray(tests) ? tests.filter(isJsonObject) : [];
  return new Map(list.map((test, index) => [typeof test.name === 'string' ? test.name : `#${index}`, test]));
}
