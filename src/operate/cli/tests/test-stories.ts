import { allStories, type ImportRequest, type StoryTest, testsIn } from '../../../stories/face.js';
import { runStoryTests, type StoryTestsReport, type TestDeps } from '../../../trial/face.js';
import type { CliIo } from '../cli-io.js';
import { createCalledStories } from './given-stories.js';
import { type FoundText, readStoryTexts, withLine } from '../files/story-files-text.js';
import { type Importable, readImportable } from '../importable.js';

/** The tests of one file. */
export interface TestedFile {
  file: string;
  /** Why an import would refuse it, each a sentence. */
  refusals: string[];
  /** Its story, and those embedded in it that have tests. */
  stories: StoryTestsReport[];
}

/** What must hold, and which tests run. */
export interface TestChoice {
  /** Names of the tests to run; empty: all. */
  names: readonly string[];
  /** The least part of each story that its tests must reach, in percent. */
  minCoverage: number | undefined;
}

/**
 * Runs the tests of each file, one after the other.
 * @throws Error for a file that cannot be read, and for a chosen name that no test has.
 */
export async function testStories(
  io: CliIo,
  files: readonly string[],
  { names }: TestChoice,
  deps: TestDeps,
): Promise<TestedFile[]> {
  const missing = new Set(names);
  const isChosen = ({ name }: StoryTest) => names.length === 0 || names.includes(name);
  const tested: TestedFile[] = [];
  const read = (await Promise.all(files.map((each) => readStoryTexts(io, each)))).flat();
  const importable = read.map((each) => ({ file: each.file, ...importableIn(each) }));
  const called = createCalledStories(importable.flatMap(({ request }) => request ?? []));
  for (const { file, request, refusals = [] } of importable) {
    const stories: StoryTestsReport[] = [];
    for (const each of request === undefined ? [] : testedStories(request)) {
      const tests = testsIn(each.data).filter(isChosen);
      for (const test of tests) missing.delete(test.name);
      const { request: whole, lacking } = called.wholeOf(each);
      stories.push(withReasons(await runStoryTests(whole, tests, deps), lacking));
    }
    tested.push({ file, refusals, stories });
  }
  const [unknown] = missing;
  if (unknown !== undefined) throw new Error(`no test is named "${unknown}"`);
  return tested;
}

/** Adds why calls fail to the tests that fail. */
function withReasons(report: StoryTestsReport, reasons: readonly string[]): StoryTestsReport {
  const results = report.results.map((result) =>
    result.ok ? result : { ...result, problems: [...result.problems, ...reasons] },
  );
  return { ...report, results };
}

function importableIn(read: FoundText): Importable {
  if ('text' in read) return readImportable(read.text);
  return { refusals: read.problems.map(withLine) };
}

/** Returns the story of the file, and each embedded one that has tests, as stories of their own. */
function testedStories(request: ImportRequest): ImportRequest[] {
  const [, ...embedded] = allStories(request.data);
  const own = embedded.filter((story) => testsIn(story).length > 0);
  return [request, ...own.map((data) => ({ ...request, newName: data.name, data }))];
}

/** Returns true if a file would be refused, a test fails, or a story is covered too little. */
export function hasFailedTests(files: readonly TestedFile[], { minCoverage }: TestChoice): boolean {
  return files.some(
    ({ refusals, stories }) =>
      refusals.length > 0 || stories.some((story) => !story.ok || isCoveredTooLittle(story, minCoverage)),
  );
}

/** Returns true if the tests reach less of the story than they must. */
export function isCoveredTooLittle({ coverage }: StoryTestsReport, minCoverage: number | undefined): boolean {
  return minCoverage !== undefined && coverage.covered * 100 < minCoverage * coverage.all;
}
