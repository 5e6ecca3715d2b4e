import { NotFound, Unprocessable } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { mergedObjects, orderedObject } from '../../platform/json/ordered-object.js';
import { LIMITS } from '../import/import-limits.js';
import { TEST_LIMITS, TESTS_KEY } from './story-test.js';

/** A test to add, or to put in place of the one that it replaces. */
export interface TestEdit {
  test: JsonObject & { name: string };
  /** Name of the test that it replaces; undefined: the one of its own name, if there is one. */
  replaces?: string | undefined;
  /** It must not replace the one of its own name. */
  isOnlyNew?: boolean | undefined;
}

/**
 * Returns the keys of a story with the test, and whether it is a new one.
 * @throws Unprocessable if the replaced test does not exist, the name is another test's, or there is no room.
 */
export function withTest(
  extra: JsonObject,
  { test, replaces, isOnlyNew }: TestEdit,
): { extra: JsonObject; isNew: boolean } {
  const tests = listIn(extra);
  const at = placeOf(tests, replaces ?? test.name);
  if (at === -1 && replaces !== undefined) throw fault('replaces', 'names no test of the story');
  const isOther = isOnlyNew === true || (replaces !== undefined && replaces !== test.name);
  if (isOther && placeOf(tests, test.name) !== -1) {
    throw fault('test.name', 'is the name of another test of the story');
  }
  if (at === -1 && tests.length >= TEST_LIMITS.tests) {
    throw fault('test', `is one too many: a story can have ${TEST_LIMITS.tests} tests`);
  }
  const next = at === -1 ? [...tests, test] : tests.with(at, test);
  return { extra: sized(mergedObjects<JsonValue>(extra, { [TESTS_KEY]: next })), isNew: at === -1 };
}

/** Returns the keys of a story without the test of this name. @throws NotFound if there is none. */
export function withoutTest(extra: JsonObject, name: string): JsonObject {
  const tests = listIn(extra);
  const at = placeOf(tests, name);
  if (at === -1) throw new NotFound('Test');
  if (tests.length > 1) return mergedObjects<JsonValue>(extra, { [TESTS_KEY]: tests.toSpliced(at, 1) });
  return orderedObject(Object.entries(extra).filter(([key]) => key !== TESTS_KEY));
}

/** An action that got another name. */
export interface ActionRename {
  from: string;
  to: string;
}

/**
 * Returns the keys of a story whose tests name these actions by their new names. `kept`: the names of the
 * actions that keep theirs. A name that several had before stays: nobody can tell which one a test means.
 */
export function withRenamedActions(
  extra: JsonObject,
  renames: readonly ActionRename[],
  kept: readonly string[],
): JsonObject {
  const before = [...kept, ...renames.map(({ from }) => from)];
  const isOne = (name: string) => before.indexOf(name) === before.lastIndexOf(name);
  const known = new Map(
    renames.filter(({ from }) => isOne(from)).map(({ from, to }): [string, string] => [from, to]),
  );
  const tests = listIn(extra);
  if (known.size === 0 || tests.length === 0) return extra;
  const next = tests.map((test) => renamedTest(test, known));
  return stringifyJson(next) === stringifyJson(tests)
    ? extra
    : mergedObjects<JsonValue>(extra, { [TESTS_KEY]: next });
}

/**
 * Returns the keys of a story whose tests may have been left as they were when actions got other names. `names`: those of
 * its actions now; each means the action that has it.
 */
export function withFollowedNames(
  extra: JsonObject,
  renames: readonly ActionRename[],
  names: readonly string[],
): JsonObject {
  const present = new Set(names);
  const lost = renames.filter(({ from }) => !present.has(from));
  return withRenamedActions(extra, lost, names);
}

function renamedTest(test: JsonValue, known: ReadonlyMap<string, string>): JsonValue {
  if (!isJsonObject(test)) return test;
  const { expect, answers } = test;
  const changes: Record<string, JsonValue> = { ...renamedAction(test, known) };
  if (isJsonObject(expect)) {
    const kinds = Object.entries(expect).map(([kind, byAction]): [string, JsonValue] => [
      kind,
      isJsonObject(byAction) ? renamedKeys(byAction, known) : byAction,
    ]);
    changes.expect = orderedObject(kinds);
  }
  if (Array.isArray(answers)) {
    changes.answers = answers.map((rule) =>
      isJsonObject(rule) ? mergedObjects<JsonValue>(rule, renamedAction(rule, known)) : rule,
    );
  }
  return mergedObjects<JsonValue>(test, changes);
}

function renamedAction({ action }: JsonObject, known: ReadonlyMap<string, string>): Record<string, string> {
  const to = typeof action === 'string' ? known.get(action) : undefined;
  return to === undefined ? {} : { action: to };
}

/** A name that is a key already stays as it is: its list would be lost. */
function renamedKeys(byAction: JsonObject, known: ReadonlyMap<string, string>): JsonObject {
  const entries = Object.entries(byAction).map(([name, items]): [string, JsonValue] => {
    const to = known.get(name) ?? name;
    const isTaken = to !== name && Object.hasOwn(byAction, to) && !known.has(to);
    return [isTaken ? name : to, items];
  });
  return orderedObject(entries);
}

function listIn(extra: JsonObject): JsonValue[] {
  const list = Object.hasOwn(extra, TESTS_KEY) ? extra[TESTS_KEY] : undefined;
  return Array.isArray(list) ? list : [];
}

function placeOf(tests: readonly JsonValue[], name: string): number {
  return tests.findIndex((test) => isJsonObject(test) && test.name === name);
}

function sized(extra: JsonObject): JsonObject {
  if (Buffer.byteLength(stringifyJson(extra)) <= LIMITS.rowBytes) return extra;
  throw fault('test', `does not fit: tests, notes and pages of a story can have ${LIMITS.rowBytes} bytes`);
}

function fault(place: string, what: string): Unprocessable {
  return new Unprocessable([{ message: `"${place}" ${what}`, details: place }]);
}
