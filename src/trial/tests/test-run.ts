import type { CheckedRule } from '../../agents/face.js';
import { withClockAndRandom } from '../../platform/runtime/clock-and-random.js';
import { type AnswerRule, DEFAULT_TEST_TIME, type StoryTest, trialRules } from '../../stories/face.js';
import { createAnsweredClient, createSilentClient } from '../answers/answered-client.js';
import { createNamedTrialValues } from '../memory/named-trial-values.js';
import type { PlannedGraphs } from '../memory/plan-graphs.js';
import { recordTypesOf } from '../memory/trial-records.js';
import type { TrialState } from '../memory/trial-state.js';
import type { TrialReport } from '../report/trial-report.js';
import { guidsInOrder, runPlan } from '../run-trial.js';
import type { TrialDeps } from '../trial-engine.js';
import { beginRun, findStartAgent, type TrialRunStart } from '../trial-run-start.js';
import type { CoverageBook } from './test-coverage.js';

/** The settings of the server that tests run with. They send nothing and see no team's values. */
export type TestDeps = Pick<TrialDeps, 'languages' | 'limits' | 'domain' | 'baseUrl' | 'logger'>;

/** The story under test. */
export interface Testing {
  planned: PlannedGraphs;
  deps: TestDeps;
  /** Receives what the run reaches; absent: nobody asks. */
  book?: Pick<CoverageBook, 'noteAction' | 'noteRules'> | undefined;
  /** Receives the rules of each trigger as they were checked. */
  onRules?: ((agentId: number, rules: CheckedRule[]) => void) | undefined;
  /** The run has another time, other ids and other random values. */
  isAgain?: boolean;
}

/** Ids of a run once more count from here: an id that an event holds differs. */
const OTHER_FIRST_ID = 1_000_000_001;
/** Another second and another minute, mostly on the same day. */
const LATER_MS = 61_001;

/**
 * Runs a test once and reports what the story does.
 * @throws Error if the action to start at does not exist or is disabled.
 */
export function runTestOnce(
  test: StoryTest,
  { planned, deps, book, onRules, isAgain = false }: Testing,
): Promise<TrialReport> {
  const { story, graphs, written } = planned;
  const start = startOf(test);
  const agent = findStartAgent(story, start.agent);
  const newGuid = guidsInOrder(isAgain ? '00000001' : '00000000');
  const guid = newGuid();
  const startedAtMs = Date.parse(test.at ?? DEFAULT_TEST_TIME) + (isAgain ? LATER_MS : 0);
  const answers = answersOf(test);
  let state: TrialState | undefined;
  let here = '';
  const plan = {
    story,
    graphs,
    newGuid,
    recordTypes: recordTypesOf(written),
    variant: { startedAtMs, firstId: isAgain ? OTHER_FIRST_ID : 1 },
    begin: (made: TrialState) => {
      state = made;
      return beginRun({ story, agent, start, guid }, made);
    },
    onEnter: ({ storyId, agentId }: { storyId: number; agentId: number }) => {
      here = graphs.get(storyId)?.agents.get(agentId)?.name ?? '';
      book?.noteAction(agentId);
    },
  };
  const clock = {
    nowMs: () => state?.nowMs() ?? startedAtMs,
    guid: newGuid,
    below: (limit: number) => (isAgain ? limit - 1 : 0),
  };
  return withClockAndRandom(clock, () =>
    runPlan(plan, {
      ...deps,
      ...(isAgain && { seed: 'again' }),
      createHttp: (onUnanswered) =>
        createAnsweredClient(
          answers,
          createSilentClient(onUnanswered),
          ({ action }) => action === undefined || action === here,
        ),
      createValues: (all, onMissing) =>
        createNamedTrialValues({ resources: test.resources ?? {}, credentials: {} }, all, onMissing),
      noteRules: (agentId, rules) => {
        book?.noteRules(agentId, rules);
        onRules?.(agentId, rules);
      },
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
