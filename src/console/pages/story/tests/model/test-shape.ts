import type { StoryTest } from '../../../../../../clients/typescript/api.js';
import { hasEntries } from '../../../../text/exact-json.js';

/** The kinds of things that an action does and a test can expect, in the order in which it is shown. */
export const TEST_KINDS = ['events', 'requests', 'mails', 'records', 'errors'] as const;
export type TestKind = (typeof TEST_KINDS)[number];

/** The expectation of a test: by kind and name of the action, the exact list of what it does. */
export type Expectation = StoryTest['expect'];

/** The response to requests of a test. */
export type TestAnswer = NonNullable<StoryTest['answers']>[number];

/** Other values of keys of a test; undefined takes a key out. */
export type TestChange = { [Key in keyof StoryTest]?: StoryTest[Key] | undefined };

/** A new test, before anything is written. */
export const EMPTY_TEST: StoryTest = { name: '', event: {}, expect: {} };

/** The text of a test in the editor; the same test has the same text. */
export const textOfTest = (test: StoryTest): string => JSON.stringify(test, null, 2);

/**
 * Returns why the form cannot show a value as a test; undefined: it can. The server looks at all else, and says what is
 * wrong with it.
 */
export function formFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'A test is a JSON object.';
  const { name, description = '', action = '', at = '', headers = {}, resources = {} } = value;
  const texts = { name, description, action, at };
  for (const [key, text] of Object.entries(texts))
    if (typeof text !== 'string') return `"${key}" must be a text.`;
  if (!isObject(headers)) return '"headers" must be an object.';
  if (!isObject(resources)) return '"resources" must be an object.';
  return answersFault(value['answers']) ?? expectFault(value['expect']);
}

const isAnswer = (answer: unknown) =>
  isObject(answer) && (typeof answer['url'] === 'string' || isPattern(answer['url']));

function answersFault(answers: unknown = []): string | undefined {
  if (!Array.isArray(answers)) return '"answers" must be a list.';
  return answers.every(isAnswer) ? undefined : 'Each of "answers" must be an object with a "url".';
}

const isPattern = (url: unknown) => isObject(url) && typeof url['regex'] === 'string';

function expectFault(expect: unknown): string | undefined {
  if (!isObject(expect)) return '"expect" must be an object.';
  for (const kind of TEST_KINDS) {
    const given = expect[kind] ?? {};
    if (!isObject(given) || !Object.values(given).every(Array.isArray))
      return `"expect.${kind}" must be an object of lists, by the name of the action.`;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return hasEntries(value) && !Array.isArray(value);
}

/** Returns a name that no test of the story has: `Alerts`, else `Alerts 2`. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const base = wanted.trim().slice(0, LONGEST_NAME) || 'Test';
  let name = base;
  for (let count = 2; taken.includes(name); count += 1) {
    const end = ` ${count}`;
    name = base.slice(0, LONGEST_NAME - end.length) + end;
  }
  return name;
}

/** The most characters of a name. */
export const LONGEST_NAME = 200;
/** The most characters of a description. */
export const LONGEST_DESCRIPTION = 2_000;
/** The most responses that the server takes. */
export const MOST_ANSWERS = 200;
