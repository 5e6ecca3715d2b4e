import { messageOf } from '../../platform/errors.js';
import { withClockAndRandom } from '../../platform/runtime/clock-and-random.js';
import {
  type AnswerRule,
  DEFAULT_TEST_TIME,
  type ImportRequest,
  type StoryTest,
  trialRules,
} from '../../stories/face.js';
import { createAnsweredClient, createSilentClient } from '../answers/answered-client.js';
import { createNamedTrialValues } from '../memory/named-trial-values.js';
import { type PlannedGraphs, planGraphs } from '../memory/plan-graphs.js';
import { recordTypesOf } from '../memory/trial-records.js';
import type { TrialState } from '../memory/trial-state.js';
import type { TrialReport } from '../report/trial-report.js';
import { guidsInOrder, runPlan } from '../run-trial.js';
import type { TrialDeps } from '../trial-engine.js';
import { beginRun, findStartAgent, type TrialRunStart } from '../trial-run-start.js';
import type { TestDifference } from './difference-text.js';
import { judgeTest } from './judge-test.js';
import { observedIn } from './observed.js';
import { type CoverageBook, createCoverageBook, type TestCoverage } from './test-coverage.js';

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

/** The settings of the server that tests run with. They send nothing and see no team's values. */
export type TestDeps = Pick<TrialDeps, 'languages' | 'limits' | 'domain' | 'baseUrl' | 'logger'>;

/** Runs tests of a story one after the other, over memory; each gives the same result at any time and place. */
export async function runStoryTests(
  request: ImportRequest,
  tests: StoryTest[],
  deps: TestDeps,
): Promise<StoryTestsReport> {
  const planned = planGraphs(request);
  const book = createCoverageBook(planned.story, planned.exportGuids);
  const results: TestResult[] = [];
  for (const test of tests) {
    const began = performance.now();
    const judged = await runTest(test, { planned, book, deps });
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

interface Testing {
  planned: PlannedGraphs;
  book: CoverageBook;
  deps: TestDeps;
}

type Judged = Pick<TestResult, 'differences' | 'problems'>;

async function runTest(test: StoryTest, testing: Testing): Promise<Judged> {
  const { planned, book } = testing;
  try {
    const report = await reportOf(test, testing);
    book.noteReport(report);
    const observed = observedIn(report, (id) => planned.story.agents.has(id));
    return { differences: judgeTest(test.expect, observed), problems: problemsOf(test, report, planned) };
  } catch (error) {
    return { differences: [], problems: [messageOf(error)] };
  }
}

/** @throws Error if the action to start at does not exist or is disabled. */
function reportOf(test: StoryTest, { planned, book, deps }: Testing): Promise<TrialReport> {
  const { story, graphs, written } = planned;
  const start = startOf(test);
  const agent = findStartAgent(story, start.agent);
  const newGuid = guidsInOrder();
  const guid = newGuid();
  const startedAtMs = Date.parse(test.at ?? DEFAULT_TEST_TIME);
  const answers = answersOf(test);
  let state: TrialState | undefined;
  let here = '';
  const plan = {
    story,
    graphs,
    newGuid,
    recordTypes: recordTypesOf(written),
    variant: { startedAtMs, firstId: 1 },
    begin: (made: TrialState) => {
      state = made;
      return beginRun({ story, agent, start, guid }, made);
    },
    onEnter: ({ storyId, agentId }: { storyId: number; agentId: number }) => {
      here = graphs.get(storyId)?.agents.get(agentId)?.name ?? '';
      book.noteAction(agentId);
    },
  };
  const clock = { nowMs: () => state?.nowMs() ?? startedAtMs, guid: newGuid, below: () => 0 };
  return withClockAndRandom(clock, () =>
    runPlan(plan, {
      ...deps,
      createHttp: (onUnanswered) =>
        createAnsweredClient(
          answers,
          createSilentClient(onUnanswered),
          ({ action }) => action === undefined || action === here,
        ),
      createValues: (all, onMissing) =>
        createNamedTrialValues({ resources: test.resources ?? {}, credentials: {} }, all, onMissing),
      noteRules: (agentId, holds) => book.noteRules(agentId, holds),
    }),
  );
}

/** Returns the rules with their defaults. */
function answersOf({ answers = [] }: StoryTest): AnswerRule[] {
  const { value, error } = trialRules.validate(answers);
  if (error !== undefined) throw error;
  return value;
}

/** A request to a webhook has the content type that each one has. */
function startOf({ action, event, body, headers }: StoryTest): TrialRunStart {
  if (body === undefined) return { agent: action, payload: event ?? {}, headers: {}, isEvent: true };
  const lower = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const sent = { 'content-type': 'application/json', ...Object.fromEntries(lower) };
  return { agent: action, payload: body, headers: sent };
}

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
