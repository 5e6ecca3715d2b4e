import { webhookAgent } from '../../../agents/face.js';
import type { Problem } from '../../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { slugOf } from '../../../platform/text/slug.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import {
  type AgentNode,
  type ImportRequest,
  startAgentOf,
  type StoryTest,
  testProblems,
} from '../../../stories/face.js';
import { pairActions } from '../../comparison/same-actions.js';
import { planGraphs } from '../../memory/plan-graphs.js';
import { entriesOf, type TrialReport } from '../../report/trial-report.js';
import { NoTrial } from '../../story/no-trial.js';
import type { PastRun, StoryTrialWork } from '../../story/story-trial.js';
import { findNamedAction } from '../../story/trial-start.js';
import { triedStories, type TriedStories } from '../../story/tried-stories.js';
import { runOnPast } from '../../story/try-story-task.js';
import { type TestedStory, testDeps, testedRequest } from '../api/run-tests-task.js';
import { observedIn } from '../observed.js';
import { judgedTest } from '../run-tests.js';
import { runTestOnce, type Testing } from '../test-run.js';
import { expectationOf } from './expectation-of.js';
import { createSecretHider } from './hidden-values.js';
import { keepingClient, type RecordedAnswer, ruleOf, secretParts } from './recorded-answers.js';

/** A past run or a trial to keep as a test, for a thread. */
export interface KeepWork {
  /** A trial of the story, on the run if there is one. */
  trial: StoryTrialWork;
  story: TestedStory;
  name: string;
  description: string | undefined;
}

/** The result: JSON text of the test, or why there can be none. */
export type KeptDone = { json: string; problems?: undefined } | { problems: Problem[] };

/** A resource may name the next one: so often the test is run to learn which ones it reads. */
const MOST_ROUNDS = 20;

/** For `TASKS`: returns a test that expects what the story does with the start and the responses of a past run or a trial. */
export async function keepRunInThread(work: KeepWork): Promise<KeptDone> {
  try {
    const { request, problems } = testedRequest(work.story);
    if (request === undefined) return { problems };
    return { json: stringifyJson(await keptTest(work, request)) };
  } catch (error) {
    if (!(error instanceof NoTrial)) throw error;
    return { problems: error.problems };
  }
}

/** @throws NoTrial naming what keeps the run from being a test. */
async function keptTest(work: KeepWork, request: ImportRequest): Promise<StoryTest> {
  const { trial, name, description } = work;
  const stories = triedStories(trial);
  const recorded = await recordedAnswers(trial, stories);
  const event = parseJson(trial.start.json);
  const known = ownResources(trial);
  const past = (trial.past?.events ?? []).flatMap(({ json }) => (json === null ? [] : [parseJson(json)]));
  const hider = createSecretHider([event, known, ...past, ...recorded.map(secretParts)]);
  const answers = recorded.map((each) => ruleOf(each, hider));
  const start = startOf(trial, stories);
  const planned = planGraphs(request);
  const testing: Testing = { planned, deps: testDeps(work.story) };
  const begun: StoryTest = {
    name,
    ...(description !== undefined && { description }),
    ...(start !== undefined && { action: start.name }),
    event: hider.value(event),
    at: new Date(trial.past?.createdAtMs ?? Date.now()).toISOString(),
    ...(answers.length > 0 && { answers }),
    expect: {},
  };
  const resources = await readResources(begun, testing, known);
  const given = {
    ...begun,
    ...(Object.keys(resources).length > 0 && { resources: hider.value(resources) as JsonObject }),
  };
  const report = await runTestOnce(given, testing);
  const again = await runTestOnce(given, { ...testing, isAgain: true });
  const { agents } = planned.story;
  const [observed, other] = [observedIn(report, agents), observedIn(again, agents)];
  // The event that the test begins with is no output.
  if (start?.type === webhookAgent.type) for (const each of [observed, other]) each.events.delete(start.name);
  const silent = entriesOf(report, 'silent').filter(({ agentId }) => agents.has(agentId));
  const reached = new Set(silent.map(({ agent }) => agent));
  const test = { ...given, expect: expectationOf(observed, other, reached) };
  await requireKept(test, testing);
  return test;
}

/** Returns each response of the run, in the order in which the story asks. */
async function recordedAnswers(trial: StoryTrialWork, stories: TriedStories): Promise<RecordedAnswer[]> {
  const { past } = trial;
  const answers: RecordedAnswer[] = [];
  const theirs = new Set<string>();
  let here = '';
  const report = await runOnPast(trial, stories, {
    onEnter({ storyId, agentId }) {
      const story = stories.graphs.get(storyId);
      const agent = story?.agents.get(agentId);
      here = agent?.name ?? '';
      if (story !== undefined && story.teamId !== trial.teamId && readsResources(agent))
        theirs.add(story.name);
    },
    client: (client) => keepingClient(client, () => here, answers),
  });
  const reasons = [...theirs].map(
    (name) => `"${name}" of another team reads resources: a test holds only those of its own team`,
  );
  refuse([...reasons, ...(past?.notTaken ?? []), ...otherwise(report, past)]);
  return answers;
}

/** Whether the options of an action name a resource. */
function readsResources(agent: AgentNode | undefined): boolean {
  return agent !== undefined && /\bresource\b/i.test(stringifyJson(agent.options));
}

/** Returns what the story does otherwise than in the run, as far as a test could not keep it. */
function otherwise({ stopped, unanswered, ...report }: TrialReport, past: PastRun | undefined): string[] {
  const failed = entriesOf(report, 'dead_letter');
  const isMore = past !== undefined && failed.length > past.failures.length;
  const answering = past === undefined ? 'The trial' : 'The run';
  return [
    ...(stopped === undefined ? [] : [`The story was stopped: ${stopped}`]),
    ...unanswered.map((request) => `${answering} has no response for ${request}`),
    ...(isMore && unanswered.length === 0
      ? failed.map(({ agent, error }) => `"${agent}" fails, unlike in the run: ${error}`)
      : []),
  ];
}

/** The action of the story in place of the one that the run began at. */
function startOf({ start, past }: StoryTrialWork, { story, actions }: TriedStories): AgentNode | undefined {
  if (start.action !== undefined) return findNamedAction(story, start.action);
  const began = start.kind === 'event' ? start.emitter : start.entry;
  if (began === undefined) return startAgentOf(story);
  const pairs = pairActions(actions, past?.actions ?? []);
  return [...story.agents.values()].find(({ id }) => pairs.get(id) === began.id);
}

/** Returns the resources of the story's own team. */
function ownResources({ teams, teamId }: StoryTrialWork): JsonObject {
  const own = teams.filter(({ id }) => id === teamId).toReversed();
  return Object.fromEntries(own.flatMap((team) => Object.entries(parseJson(team.resources) as JsonObject)));
}

/** Returns the resources that the run of a test reads, with their values now. */
async function readResources(test: StoryTest, testing: Testing, known: JsonObject): Promise<JsonObject> {
  const read = new Map<string, JsonValue>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const resources = Object.fromEntries(read);
    const { missing } = await runTestOnce({ ...test, resources }, testing);
    const names = missing.resources.filter((name) => !read.has(name));
    if (names.length === 0) break;
    for (const name of names) read.set(name, valueOf(name, known));
  }
  return Object.fromEntries(read);
}

/** A resource that the team lacks is empty, as on a server. */
function valueOf(wanted: string, known: JsonObject): JsonValue {
  if (Object.hasOwn(known, wanted)) return known[wanted] ?? null;
  return Object.entries(known).find(([name]) => slugOf(name) === wanted)?.[1] ?? null;
}

/** @throws NoTrial if the test is too large, or does not pass. */
async function requireKept(test: StoryTest, testing: Testing): Promise<void> {
  const faults = testProblems(test as unknown as JsonValue, 'test');
  if (faults.length > 0) throw new NoTrial(firstProblems(faults));
  const { differences, problems } = await judgedTest(test, testing);
  refuse([...differences.map(({ text }) => text), ...problems].map((text) => `The test would fail: ${text}`));
}

/** @throws NoTrial with these reasons, if there are some. */
function refuse(reasons: string[]): void {
  if (reasons.length === 0) return;
  throw new NoTrial(firstProblems(reasons.map((message) => ({ message, details: 'run_guid' }))));
}
