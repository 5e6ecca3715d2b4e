import { createFormulaLanguage, createLiquidLanguage } from '../../../language/face.js';
import type { Problem } from '../../../platform/errors.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { createSilentLogger } from '../../../platform/logger.js';
import {
  type ImportRequest,
  readExport,
  TESTS_KEY,
  type StoryTest,
  testsIn,
  testsProblems,
} from '../../../stories/face.js';
import { createCharacterBudget } from '../../story/character-budget.js';
import type { TrialLimits } from '../../story/story-trial.js';
import { presentTestsReport } from '../present-tests.js';
import { runStoryTests, type StoryTestsReport } from '../run-tests.js';
import type { TestDeps } from '../test-run.js';

/** The story under test, with those that it calls, and the settings of the server. */
export interface TestedStory {
  /** JSON text of an import's body. */
  text: string;
  limits: TrialLimits;
  domain: string;
  baseUrl: string;
}

/** Tests of a story for a thread. */
export interface TestsWork {
  story: TestedStory;
  /** Names of the tests to run; undefined: all. */
  names: string[] | undefined;
  /** JSON text of the tests; undefined: those of the story. */
  tests: string | undefined;
  /** No test begins later. */
  maxMs: number;
}

/** The result: JSON text of the response, or the faults of the request. */
export type TestsDone = { json: string; problems?: undefined } | { problems: Problem[] };

/** For `TASKS`: runs tests of a story over memory. */
export async function runTestsInThread(work: TestsWork): Promise<TestsDone> {
  const { story, maxMs } = work;
  const { request, problems } = testedRequest(story);
  if (request === undefined) return { problems };
  const chosen = chosenTests(work, request);
  if (chosen.tests === undefined) return { problems: chosen.problems };
  const report = await runStoryTests(request, chosen.tests, testDeps(story), maxMs);
  return { json: stringifyJson(shownReport(report, story.limits.maxShownCharacters)) };
}

/** Returns the story under test as an import's request, or why it is none. */
export function testedRequest({
  text,
}: TestedStory): { request: ImportRequest; problems: [] } | { request: undefined; problems: Problem[] } {
  const { request, refusals } = readExport(text);
  if (request !== undefined) return { request, problems: [] };
  const problems = refusals.map(({ message }) => ({ message: `The story cannot be tested: ${message}` }));
  return { request, problems };
}

/** Returns the settings of tests in a thread. */
export function testDeps({ limits, domain, baseUrl }: TestedStory): TestDeps {
  const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };
  return { languages, limits, domain, baseUrl, logger: createSilentLogger() };
}

function chosenTests(
  { tests: given, names }: TestsWork,
  { data }: ImportRequest,
): { tests: StoryTest[]; problems?: undefined } | { tests?: undefined; problems: Problem[] } {
  const list = given === undefined ? undefined : parseJson(given);
  const problems = testsProblems(list, '').map(atTests);
  if (problems.length > 0) return { problems };
  const all = list === undefined ? testsIn(data) : (list as unknown as StoryTest[]);
  if (names === undefined) return { tests: all };
  const known = new Set(all.map(({ name }) => name));
  const unknown = names.flatMap((name, index): Problem[] => {
    const place = `names[${index}]`;
    return known.has(name) ? [] : [{ message: `"${place}" is the name of no test`, details: place }];
  });
  if (unknown.length > 0) return { problems: unknown };
  return { tests: all.filter(({ name }) => names.includes(name)) };
}

/** Names the field of the request instead of the export's. */
function atTests({ message, details }: Problem): Problem {
  return { message: named(message), ...(details !== undefined && { details: named(details) }) };
}

const named = (text: string): string => text.replaceAll(TESTS_KEY, 'tests');

/** Values that are too large together are null, and what would be expected instead is left out; sentences stay. */
function shownReport(report: StoryTestsReport, maxCharacters: number) {
  const budget = createCharacterBudget(maxCharacters);
  const { ok, results, coverage } = presentTestsReport(report);
  const shown = results.map((result) => ({
    ...result,
    differences: result.differences.map(({ expected, found, instead, ...difference }) => ({
      ...difference,
      expected: budget.fit('differences', expected),
      found: found === undefined ? null : budget.fit('differences', found),
      ...budget.fit('differences', { instead }),
    })),
  }));
  return { ok, results: shown, coverage };
}
