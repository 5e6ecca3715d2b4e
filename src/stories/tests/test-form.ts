import Joi from 'joi';
import { patternFault } from '../../language/face.js';
import type { Problem } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseIsoTime } from '../../platform/time/iso-time.js';
import { validate } from '../../platform/validation/validate.js';
import { partPath } from '../import/plan/place.js';
import { trialRules } from './answer-rule.js';
import { type StoryTest, TEST_LIMITS, TESTS_KEY, type TestExpectation } from './story-test.js';
import { asMatcher, MATCHED_TYPES, matcherName, type ValueMatcher } from './value-matcher.js';

const expectedItem = Joi.any().custom((value: JsonValue, helpers) => {
  const fault = matcherFault(value, '');
  return fault === undefined ? value : helpers.message({ custom: '{{#label}}{{#fault}}' }, { fault });
});

const itemsByAction = Joi.object()
  .pattern(Joi.string(), Joi.array().items(expectedItem))
  .description('By the name of the action: the exact list of what it does, in order; `[]` for nothing');

/** The schema of what a test expects. */
const testExpectation = Joi.object<TestExpectation>({
  events: itemsByAction.description('The events that actions emit, by the name of the action'),
  requests: itemsByAction.description('Requests that would be sent: method, url, headers, body'),
  mails: itemsByAction.description('Mails that would be sent: to, cc, bcc, subject, text, attachments'),
  records: itemsByAction.description('Records that would be written: record_type, record'),
  errors: itemsByAction.description(
    'Messages of actions that fail for good; any other failure fails the test',
  ),
  nothing_else: Joi.boolean()
    .strict()
    .description(
      'Actions that are not named send nothing, write no record, and emit no event if `events` is given',
    ),
});

/** A day that does not exist is not taken as a later one. */
const realTime: Joi.CustomValidator<string> = (text, helpers) =>
  parseIsoTime(helpers.original) === undefined ? helpers.error('string.isoDate') : text;

/** The schema of one test (docs/build/tests.md). */
export const storyTest = Joi.object<StoryTest>({
  name: Joi.string().max(TEST_LIMITS.nameLength).required().description('Unique in its story'),
  description: Joi.string().allow('').max(TEST_LIMITS.descriptionLength).description('Purpose of the test'),
  action: Joi.string().description('Name of the action to start at; default: where a manual run starts'),
  event: Joi.any().description('The event that a webhook emits, or that another action receives'),
  body: Joi.any().description('Instead of `event`: the body of a request to the webhook'),
  headers: Joi.object().pattern(Joi.string(), Joi.string().allow('')).description('Headers of that request'),
  at: Joi.string()
    .isoDate()
    .custom(realTime)
    .description('Time at which the run starts; default: 2026-01-01T09:00:00.000Z'),
  answers: trialRules.description('Responses to HTTP requests; nothing is sent'),
  resources: Joi.object().pattern(Joi.string(), Joi.any()).description('Resources by name'),
  expect: testExpectation
    .required()
    .description('Expected events, requests, mails, records and errors of the actions'),
})
  .oxor('event', 'body')
  .with('headers', 'body');

/** Returns the faults of a story's tests; `place` is the path of the story, empty for none. */
export function testsProblems(tests: JsonValue | undefined, place: string): Problem[] {
  if (tests === undefined || tests === null) return [];
  const at = partPath(place, TESTS_KEY);
  if (!Array.isArray(tests)) return [problem(at, 'must be a list')];
  if (tests.length > TEST_LIMITS.tests) return [problem(at, `has more than ${TEST_LIMITS.tests} tests`)];
  const names = new Map<string, number>();
  return tests.flatMap((test, index) => {
    const here = `${at}[${index}]`;
    const faults = testProblems(test, here);
    const name = isJsonObject(test) && typeof test.name === 'string' ? test.name : undefined;
    const first = name === undefined ? undefined : names.get(name);
    if (name !== undefined && first === undefined) names.set(name, index);
    if (first !== undefined) faults.push(problem(`${here}.name`, `is also the name of ${at}[${first}]`));
    return faults;
  });
}

/** Returns the faults of one test at this path. */
export function testProblems(test: JsonValue, at: string): Problem[] {
  if (!isJsonObject(test)) return [problem(at, 'must be an object')];
  if (stringifyJson(test).length > TEST_LIMITS.characters) {
    return [problem(at, `has more than ${TEST_LIMITS.characters} characters`)];
  }
  return validate(storyTest, test).problems.map(({ message, details }) => {
    const path = details === undefined ? at : `${at}.${details}`;
    return {
      message: details === undefined ? message : message.replace(`"${details}"`, `"${path}"`),
      details: path,
    };
  });
}

/** Returns the tests of a story in the export form, or of its foreign keys: those that are valid. */
export function testsIn(story: JsonObject): StoryTest[] {
  const list = Object.hasOwn(story, TESTS_KEY) ? story[TESTS_KEY] : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter((test) => testProblems(test, '').length === 0) as unknown as StoryTest[];
}

function problem(path: string, what: string): Problem {
  return { message: `"${path}" ${what}`, details: path };
}

/** Returns the first fault of a matcher in an expected value, as `.key: the fault`; undefined: there is none. */
function matcherFault(value: JsonValue, path: string): string | undefined {
  const matcher = asMatcher(value);
  if (matcher !== undefined) return faultOf(matcher, path);
  const name = matcherName(value);
  if (name !== undefined)
    return `${path}: there is no matcher ${name}; wrap an ordinary value in {"$equal": …}`;
  const parts: [string, JsonValue][] = Array.isArray(value)
    ? value.map((item, index) => [`[${index}]`, item])
    : isJsonObject(value)
      ? Object.entries(value).map(([key, item]) => [`.${key}`, item])
      : [];
  for (const [key, item] of parts) {
    const fault = matcherFault(item, path + key);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(matcher: ValueMatcher, path: string): string | undefined {
  const [name, given] = Object.entries(matcher)[0] ?? ['', null];
  switch (name) {
    case '$any':
    case '$absent':
      return given === true ? undefined : `${path}: ${name} must be true`;
    case '$type': {
      const isKnown = MATCHED_TYPES.some((type) => type === given);
      return isKnown ? undefined : `${path}: $type must be one of ${MATCHED_TYPES.join(', ')}`;
    }
    case '$pattern': {
      const fault = typeof given === 'string' ? patternFault(given) : '$pattern must be a text';
      return fault === undefined ? undefined : `${path}: ${fault}`;
    }
    default:
      return undefined;
  }
}
