import type { CheckedRule } from '../../agents/face.js';
import { messageOf } from '../../platform/errors.js';
import { type ImportRequest, type StoryTest, TEST_KINDS } from '../../stories/face.js';
import { type PlannedGraphs, planGraphs } from '../memory/plan-graphs.js';
import type { TrialReport } from '../report/trial-report.js';
import type { TestDifference } from './test-difference.js';
import { asCalled, judgeTest } from './judge-test.js';
import { createLikelyCauses } from './likely-cause.js';
import { observedIn } from './observed.js';
import { createCoverageBook, type TestCoverage } from './test-coverage.js';
import { runTestOnce, type TestDeps, type Testing } from './test-run.js';

/** The result of one test. */
export interface TestResult {
  name: string;
  ok: boolean;
  tookMs: number;
  differences: TestDifference[];
  /** Why the run could not begin or end as it would on a server, each a sentence. */
  problems: string[];
}

/** The results of a story's tests. */
export interface StoryTestsReport {
  story: string;
  ok: boolean;
  results: TestResult[];
  coverage: TestCoverage;
}

/**
 * Runs tests of a story one after the other, over memory; each gives the same result at any time and place. After
 * `maxMs` none begins any more.
 */
export async function runStoryTests(
  request: ImportRequest,
  tests: readonly StoryTest[],
  deps: TestDeps,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<StoryTestsReport> {
  const planned = planGraphs(request);
  const book = createCoverageBook(planned.story, planned.exportGuids);
  const results: TestResult[] = [];
  const start = performance.now();
  for (const test of tests) {
    const began = performance.now();
    const judged =
      began - start > maxMs
        ? { differences: [], problems: [`It did not run: the tests before it took ${maxMs / 1000} s`] }
        : await judgedTest(test, { planned, deps, book }, (report) => book.noteReport(report));
    const ok = judged.differences.length === 0 && judged.problems.length === 0;
    results.push({ name: test.name, ok, tookMs: Math.round(performance.now() - began), ...judged });
  }
  return {
    story: planned.story.name,
    ok: results.every(({ ok }) => ok),
    results,
    coverage: book.coverage(),
  };
}

/** Runs a test and compares what it does. `note` receives its report. */
export async function judgedTest(
  test: StoryTest,
  testing: Testing,
  note: (report: TrialReport) => void = () => undefined,
): Promise<Pick<TestResult, 'differences' | 'problems'>> {
  const { planned } = testing;
  const { agents } = planned.story;
  const names = new Set([...agents.values()].map(({ name }) => name));
  const all = new Set(
    [...planned.graphs.values()].flatMap((graph) => [...graph.agents.values()].map(nameOf)),
  );
  const absent = absentNames(test, { names, all }, planned);
  try {
    const rules = new Map<number, CheckedRule[]>();
    const report = await runTestOnce(test, { ...testing, onRules: (id, checked) => rules.set(id, checked) });
    note(report);
    const observed = observedIn(report, agents);
    const causes = createLikelyCauses({ story: planned.story, report, rules });
    const differences = judgeTest(test.expect, observed, causes);
    return {
      differences: differences.flatMap((difference) => {
        if (names.has(difference.action)) return difference;
        const isCalled = difference.kind === 'errors' && all.has(difference.action);
        return isCalled ? asCalled(difference) : [];
      }),
      problems: [...absent, ...problemsOf(test, report, planned)],
    };
  } catch (error) {
    // The name that it could not start at is told already, if it is expected something of too.
    const isTold = test.action !== undefined && absent.includes(absentText(planned, test.action));
    return { differences: [], problems: isTold ? absent : [...absent, messageOf(error)] };
  }
}

/**
 * Returns a sentence for each action that the test expects something of, or answers, and that does not exist. Actions of
 * called stories can be answered, and expected to fail.
 */
function absentNames(
  { expect, answers = [] }: StoryTest,
  { names, all }: Record<'names' | 'all', ReadonlySet<string>>,
  planned: Pick<PlannedGraphs, 'story'>,
): string[] {
  const expected = TEST_KINDS.flatMap((kind) =>
    Object.keys(expect[kind] ?? {}).filter((name) => !(kind === 'errors' ? all : names).has(name)),
  );
  const answered = answers.flatMap(({ action }) =>
    action === undefined || all.has(String(action)) ? [] : [String(action)],
  );
  const absent = new Set([...expected, ...answered]);
  return [...absent].map((name) => absentText(planned, name));
}

const absentText = ({ story }: Pick<PlannedGraphs, 'story'>, name: string): string =>
  `"${story.name}" has no action "${name}"`;

const nameOf = ({ name }: { name: string }): string => name;

/** Returns what kept the run from going as it would on a server. */
function problemsOf(
  { resources = {} }: StoryTest,
  { unanswered, missing, importOnly, stopped }: TrialReport,
  { story }: PlannedGraphs,
): string[] {
  return [
    ...(stopped === undefined ? [] : [`The run was stopped: ${stopped}`]),
    ...unanswered.map((request) => `No answer of the test fits ${request}`),
    ...missing.resources
      .filter((name) => !Object.hasOwn(resources, name))
      .map((name) => `The test gives no resource "${name}"`),
    ...importOnly.map(({ agent, reason }) => `"${agent}" of "${story.name}" cannot run: ${reason}`),
  ];
}
