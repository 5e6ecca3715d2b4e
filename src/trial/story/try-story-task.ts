import { createFormulaLanguage, createLiquidLanguage } from '../../language/face.js';
import { createSilentLogger } from '../../platform/logger.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { type ClockAndRandom, withClockAndRandom } from '../../platform/runtime/clock-and-random.js';
import type { TrialCalledStory, StoryTrialDone, StoryTrialWork } from './story-trial.js';
import type { AnswerRule } from '../../stories/face.js';
import type { SentAnswer, TrialQuestion } from '../sending/send-order.js';
import { createSentAnswers, type SentAnswers } from '../answers/sent-answers.js';
import { TRIAL_KEY } from '../memory/named-trial-values.js';
import { createTriedTeamValues } from '../memory/tried-team-values.js';
import type { StoryGraph } from '../../stories/face.js';
import { guidsInOrder, runPlan } from '../run-trial.js';
import type { TrialState } from '../memory/trial-state.js';
import { entriesOf, hasFailedTrial, type TrialReport } from '../report/trial-report.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { DeliveryRow } from '../../engine/face.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { presentReport } from './present-report.js';
import { actionViewsOf, isNew } from './action-view.js';
import { presentDifference } from '../comparison/present-difference.js';
import { createCharacterBudget } from './character-budget.js';
import { differenceOf, type TrialDifference } from '../comparison/trial-difference.js';
import { createTrialCourse, type TrialCourse } from './trial-course.js';
import { PermanentJobError } from '../../platform/errors.js';
import { NoTrial } from './no-trial.js';
import { triedGraph, triedStories, type TriedStories } from './tried-stories.js';

const emittedIn = (report: TrialReport) => entriesOf(report, 'event').filter(({ agentId }) => agentId !== 0);

/** Asks the process that gave the work. */
export type AskTrial = (question: TrialQuestion) => Promise<unknown>;

const languages = { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };
/** Ids of the second run count from here: an id that an event holds differs. */
const OTHER_FIRST_ID = 1_000_000_001;

/**
 * For `TASKS`: runs a story over memory and compares it with a past run. It asks the process that gave the work to send
 * requests.
 */
export async function tryStoryInThread(work: StoryTrialWork, ask: AskTrial): Promise<StoryTrialDone> {
  const began = performance.now();
  try {
    const ended = await tryTwice(work, ask);
    return { json: storyTrialText(work, { ...ended, tookMs: performance.now() - began }) };
  } catch (error) {
    if (!(error instanceof NoTrial)) throw error;
    return { problems: error.problems };
  }
}

/**
 * Runs a story over memory, and once more at another time if there is a past run: what differs between both differs in each
 * run. @throws NoTrial.
 */
export async function tryTwice(work: StoryTrialWork, ask: AskTrial): Promise<EndedTrial> {
  const stories = triedStories(work);
  const sent = createSentAnswers((order) => ask(order) as Promise<SentAnswer>);
  const loadGraph = createRequestedStories(
    stories,
    (storyId) => ask({ kind: 'story', storyId }) as Promise<TrialCalledStory | undefined>,
  );
  const startedAtMs = work.past?.createdAtMs ?? Date.now();
  const first = await runOnce(work, stories, { isAgain: false, startedAtMs, sent, loadGraph });
  const again =
    work.past === undefined || first.report.stopped !== undefined
      ? undefined
      : await runOnce(work, stories, {
          isAgain: true,
          startedAtMs: otherTime(work, first.elapsedMs),
          sent,
          loadGraph,
        });
  return { stories, ...first, again: again?.report };
}

/** The time by which the past run may have rendered its last template. */
function otherTime({ past }: StoryTrialWork, elapsedMs: number): number {
  const { createdAtMs = 0, lastAtMs = 0 } = past ?? {};
  return createdAtMs + Math.max(lastAtMs - createdAtMs - elapsedMs, 0) + 1;
}

/** Runs the story of a trial once on its past run. `watch` sees what is asked for and answered. @throws NoTrial. */
export async function runOnPast(
  work: StoryTrialWork,
  stories: TriedStories,
  watch: TrialWatch,
): Promise<TrialReport> {
  const { report } = await runOnce(work, stories, {
    isAgain: false,
    startedAtMs: work.past?.createdAtMs ?? Date.now(),
    sent: createSentAnswers(sendNothing),
    loadGraph: createRequestedStories(stories, () => Promise.resolve(undefined)),
    watch,
  });
  return report;
}

const sendNothing = () => Promise.reject(new Error('This trial sends nothing'));

/** Sees the requests of a trial. */
export interface TrialWatch {
  /** Called with each execution, before its requests. */
  onEnter(delivery: DeliveryRow): void;
  /** Returns the client that asks the given one. */
  client(client: HttpClient): HttpClient;
}

interface Once {
  isAgain: boolean;
  watch?: TrialWatch;
  startedAtMs: number;
  sent: SentAnswers;
  loadGraph: (storyId: number) => Promise<StoryGraph>;
}

interface RanOnce {
  report: TrialReport;
  course: TrialCourse;
  elapsedMs: number;
}

async function runOnce(work: StoryTrialWork, stories: TriedStories, once: Once): Promise<RanOnce> {
  const { isAgain, startedAtMs, sent, loadGraph, watch } = once;
  let state: TrialState | undefined;
  const newGuid = guidsInOrder(isAgain ? '00000001' : '00000000');
  const course = createTrialCourse(work, stories);
  const plan = {
    ...stories,
    newGuid,
    loadGraph,
    variant: { startedAtMs, firstId: isAgain ? OTHER_FIRST_ID : 1 },
    begin: (made: TrialState) => {
      state = made;
      return course.begin(made);
    },
    onEnter: (delivery: DeliveryRow) => {
      course.onEnter(delivery);
      watch?.onEnter(delivery);
    },
    onOutcome: course.onOutcome,
    isKnownNew: course.isKnownNew,
  };
  const report = await withClockAndRandom(
    clockAndRandom(isAgain, newGuid, () => state?.nowMs() ?? startedAtMs),
    () =>
      runPlan(plan, {
        languages,
        createHttp: (onUnanswered) => {
          const client = course.client(rulesOf(work), {
            onUnanswered,
            send: work.sends && (isAgain ? sent.repeating : sent.sending),
          });
          return watch?.client(client) ?? client;
        },
        watchSender: work.sends && course.watchSender,
        waitedMs: sent.waitedMs,
        seed: isAgain ? 'again' : (work.sends?.mark ?? 'trial'),
        createValues: (_graphs, onMissing) =>
          createTriedTeamValues(stories.teams, work.sends?.key ?? TRIAL_KEY, onMissing),
        limits: work.limits,
        domain: work.domain,
        baseUrl: work.baseUrl,
        logger: createSilentLogger(),
      }),
  );
  return { report, course, elapsedMs: state?.elapsedMs() ?? 0 };
}

/** The lowest of all random values, or the highest: the second run differs in each. */
function clockAndRandom(isAgain: boolean, guid: () => string, nowMs: () => number): ClockAndRandom {
  return { nowMs, guid, below: (limit) => (isAgain ? limit - 1 : 0) };
}

function rulesOf({ rules }: StoryTrialWork): AnswerRule[] {
  return parseJson(rules) as unknown as AnswerRule[];
}

/**
 * Returns the function that finds a story which a trial calls: one whose name a template computed, or of another team. It is
 * added to the stories. @throws PermanentJobError if there is none that the trial may call.
 */
function createRequestedStories(
  stories: TriedStories,
  ask: (storyId: number) => Promise<TrialCalledStory | undefined>,
): (storyId: number) => Promise<StoryGraph> {
  const missing = new Set<number>();
  return async (storyId) => {
    const known = stories.graphs.get(storyId);
    if (known !== undefined) return known;
    const found = missing.has(storyId) ? undefined : await ask(storyId);
    if (found === undefined) {
      missing.add(storyId);
      throw new PermanentJobError(`Story ${storyId} does not exist, or this trial cannot call it`);
    }
    const graph = triedGraph(found.graph);
    stories.graphs.set(graph.id, graph);
    stories.teams.push(...found.teams);
    stories.recordTypes.push(...found.recordTypes);
    for (const { id, guid, name } of graph.agents.values()) stories.actions.push({ id, guid, name });
    return graph;
  };
}

/** A trial that ended, and the same once more at another time. */
export interface EndedTrial {
  stories: TriedStories;
  report: TrialReport;
  /** Undefined: there is nothing to compare with. */
  again: TrialReport | undefined;
  course: TrialCourse;
}

/** Returns the JSON text of a trial as the API shows it (spec §5.12). */
function storyTrialText(work: StoryTrialWork, ended: EndedTrial & { tookMs: number }): string {
  const { report, stories, tookMs } = ended;
  const budget = createCharacterBudget(work.limits.maxShownCharacters);
  const actionOf = actionViewsOf(stories);
  const difference = differenceTo(ended);
  const parts = {
    ok: !hasFailedTrial(report),
    story_id: isNew(stories.story.id) ? null : stories.story.id,
    story_run_guid: work.past?.guid ?? null,
    difference: difference && presentDifference(difference, { work, actionOf, budget }),
    ...presentReport(report, actionOf, budget),
    not_taken: work.past?.notTaken ?? [],
    left_out: budget.leftOut(),
    took_ms: Math.round(tookMs),
  };
  return stringifyJson(parts);
}

/** Returns the difference of a trial to its past run; null without one. */
export function differenceTo({ report, again, course }: EndedTrial): TrialDifference | null {
  const { past } = course;
  if (past === undefined) return null;
  return differenceOf({
    past,
    events: emittedIn(report),
    failures: entriesOf(report, 'dead_letter'),
    again: again === undefined ? [] : emittedIn(again),
    pastActionOf: course.pastActionOf,
    pastIdOf: course.pastIdOf,
  });
}
