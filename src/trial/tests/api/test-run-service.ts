import { type Actor, canWrite } from '../../../api/face.js';
import type { TenantQuotas } from '../../../people/face.js';
import { Unprocessable } from '../../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { hideSteps } from '../../../platform/secrets/hidden-secrets.js';
import { inSlices } from '../../../platform/steps.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { storyOrDraft } from '../../../stories/face.js';
import type { TrialLimits } from '../../story/story-trial.js';
import type { TestedStory, TestsDone, TestsWork } from './run-tests-task.js';
import { loadTestedStory, type TestedStoryDeps } from './tested-story.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'run-story-tests': (work: TestsWork) => Promise<TestsDone>;
  }
}

/** No test begins later. */
const MOST_MS = 60_000;
/** The last test stops by itself; a step of it that cannot be stopped ends the run. */
const DEADLINE_MS = 90_000;

/** The tests that a request asks for. */
export interface RequestedTests {
  storyId: number;
  draftId: number | null | undefined;
  /** Undefined: all. */
  names: string[] | undefined;
  /** Tests that are not saved; undefined: those of the story. */
  tests: JsonValue | undefined;
}

export interface TestRunServiceDeps extends TestedStoryDeps {
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
  limits: TrialLimits;
  /** The server's host name, as templates see it. */
  domain: string;
  /** The server's URL in links. */
  baseUrl: string;
}

export type TestRunService = ReturnType<typeof createTestRunService>;

/** Runs tests of stories in threads. Nothing is sent or stored (spec §3.20). */
export function createTestRunService(deps: TestRunServiceDeps) {
  const { database } = deps;
  return {
    /** Faults of the tests are found in the thread that runs them. @throws NotFound as `run`. */
    async check(actor: Actor, place: Pick<RequestedTests, 'storyId' | 'draftId'>): Promise<void> {
      await database.read((session) => storyOrDraft(actor, place, 'read', session));
    },

    /**
     * Returns the response as JSON.
     * @throws NotFound, QuotaReached; Unprocessable for an unknown name, for tests with faults, and for what takes too long;
     * ThreadsBusy; the reason of `left`.
     */
    async run(actor: Actor, wanted: RequestedTests, left: AbortSignal): Promise<JsonObject> {
      deps.quotas.requireArrival(actor.tenantId);
      const { storyId, draftId, names, tests } = wanted;
      const found = await database.read((session) =>
        storyOrDraft(actor, { storyId, draftId }, 'read', session),
      );
      const { text, teamIds } = await loadTestedStory(actor, found, deps);
      const given = tests === undefined ? undefined : stringifyJson(tests);
      const answer = await runTestsOf(actor, { text, names, tests: given, signal: left }, deps);
      // The same as runs show: without links that start runs, unless the actor may write (decision 0031).
      const mayWrite = teamIds.every((id) => canWrite(actor, id));
      return mayWrite ? answer : inSlices(hideSteps(answer, { headers: true }));
    },
  };
}

/** Tests to run in a thread, as `TestsWork` has them. */
interface ThreadedTests extends Pick<TestsWork, 'names' | 'tests'> {
  /** JSON text of an import's body. */
  text: string;
  /** Ends the run; absent: nothing does before its limits. */
  signal?: AbortSignal;
}

/** Returns the results as JSON. @throws Unprocessable for tests with faults, and for what takes too long; ThreadsBusy. */
export async function runTestsOf(
  actor: Actor,
  { text, names, tests, signal }: ThreadedTests,
  deps: TestRunServiceDeps,
): Promise<JsonObject> {
  const { limits, domain, baseUrl, threads } = deps;
  const story: TestedStory = { text, limits, domain, baseUrl };
  const bytes = 2 * (text.length + (tests?.length ?? 0));
  const how = { tenantId: actor.tenantId, bytes, signal, deadlineMs: DEADLINE_MS };
  const done = await metered(actor, deps, () =>
    threads.run('run-story-tests', { story, names, tests, maxMs: MOST_MS }, how),
  );
  if (done.problems !== undefined) throw new Unprocessable(done.problems);
  return parseJson(done.json) as JsonObject;
}

/** Counts the time of a thread. @throws Unprocessable for work that takes too long. */
export async function metered<Result>(
  { tenantId }: Actor,
  { quotas }: Pick<TestRunServiceDeps, 'quotas'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
    throw new Unprocessable([{ message: `The tests were stopped: ${error.message}` }]);
  } finally {
    quotas.add(tenantId, { cpuMs: performance.now() - began });
  }
}
