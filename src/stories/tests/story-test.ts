import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { AnswerRule } from './answer-rule.js';

/** The key of a story's tests in its export. Other importers keep it and ignore it. */
export const TESTS_KEY = 'fabula_tests';

/** The most that a story's tests may be. */
export const TEST_LIMITS = {
  tests: 100,
  /** Size of one test, as JSON. */
  characters: 512 * 1024,
  nameLength: 200,
  descriptionLength: 2_000,
};

/** The kinds of things that an action does and a test can expect, in the order in which differences are told. */
export const TEST_KINDS = ['events', 'requests', 'mails', 'records', 'errors'] as const;
export type TestKind = (typeof TEST_KINDS)[number];

/**
 * The expected things of each kind, by the name of the action: the exact list of what it does, in order. Each item is a value
 * with matchers (docs/build/tests.md). Actions that are not named are not looked at.
 */
export type TestExpectation = Partial<Record<TestKind, Record<string, JsonValue[]>>> & {
  /** Actions that are not named must send and write nothing, and emit nothing if `events` is given. */
  nothing_else?: boolean;
};

/** A test of a story, as its export has it (docs/build/tests.md). */
export interface StoryTest {
  /** Unique in its story. */
  name: string;
  description?: string;
  /** The name of the action to start at; absent: the one that a manual run starts at. */
  action?: string;
  /** The event that a webhook emits, or that another action receives. */
  event?: JsonValue;
  /** Instead of `event`: the body of a request to the webhook. */
  body?: JsonValue;
  /** Headers of that request. */
  headers?: Record<string, string>;
  /** The time at which the run starts; absent: `DEFAULT_TEST_TIME`. */
  at?: string;
  /** The responses to its HTTP requests. Nothing is sent. */
  answers?: AnswerRule[];
  /** The resources that templates see, by name. */
  resources?: JsonObject;
  expect: TestExpectation;
}

/** The time at which the run of a test starts, unless it has another. */
export const DEFAULT_TEST_TIME = '2026-01-01T09:00:00.000Z';
