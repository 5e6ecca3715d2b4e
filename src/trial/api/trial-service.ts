import { type Actor, canWrite, homeTeamId, requireTeam } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import { Forbidden, NotFound, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import { hideSteps } from '../../platform/secrets/hidden-secrets.js';
import { inSlices } from '../../platform/steps.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { storyOrDraft, visibleStory } from '../../stories/face.js';
import { findRunPlace, type RunStory, visibleEvent } from '../../observe/face.js';
import type { TrialQuestion } from '../sending/send-order.js';
import { createTrialSender, type TrialSenderDeps, type TrialSending } from '../sending/trial-sender.js';
import type { StoryTrialDone, StoryTrialWork, TrialCalledStory, TrialTeam } from '../story/story-trial.js';
import { createTrialStories } from '../start/trial-stories.js';
import { type TrialPlace, type TrialWorkDeps, trialWorkOf } from './trial-work-of.js';
import type { RequestedStoryTrial } from './requested-trial.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'try-story': (
      work: StoryTrialWork,
      ask: (question: TrialQuestion) => Promise<unknown>,
    ) => Promise<StoryTrialDone>;
  }
}

export interface TrialServiceDeps extends TrialWorkDeps {
  threads: Pick<ThreadPool, 'run'>;
  /** For trials that send: they wait for other servers. */
  sendingThreads: Pick<ThreadPool, 'run'>;
  sending: TrialSenderDeps;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
}

/** Far beyond the time after which a trial stops by itself: one step alone may take long. */
const DEADLINE_MS = 30_000;
/** The same, while others use the processor: it waits for responses for a minute. */
const SENDING_DEADLINE_MS = 180_000;

export type TrialService = ReturnType<typeof createTrialService>;

/** Tries stories over memory, in threads: nothing is stored (decision 0060). */
export function createTrialService(deps: TrialServiceDeps) {
  const placeOf = (actor: Actor, wanted: RequestedStoryTrial): Promise<TrialPlace> =>
    deps.database.read((session) => findPlace(session, actor, wanted));

  return {
    /** Checks what `run` would refuse before it looks at the story. @throws NotFound and Forbidden. */
    async check(actor: Actor, wanted: RequestedStoryTrial): Promise<void> {
      await placeOf(actor, wanted);
    },

    /**
     * Returns the response as JSON. `left` ends the trial, and aborts the request that it sends.
     * @throws NotFound, Forbidden, QuotaReached; Unprocessable for a story that an import would refuse, one without the
     * action to begin at, and one that takes too long; ThreadsBusy; the reason of `left`.
     */
    async run(actor: Actor, wanted: RequestedStoryTrial, left: AbortSignal): Promise<JsonObject> {
      deps.quotas.requireArrival(actor.tenantId);
      const place = await placeOf(actor, wanted);
      const work = await trialWorkOf(actor, { wanted, place }, deps);
      const began = performance.now();
      const { tenantId } = actor;
      const { sends } = work;
      const sending = sends && createTrialSender({ tenantId, sends }, deps.sending);
      try {
        const done = await inThread(actor, { work, left, sending }, deps);
        if (done.problems !== undefined) throw new Unprocessable(done.problems);
        const answer = parseJson(done.json) as JsonObject;
        return await shownTrial(actor, teamsOf(place, work), sending?.scrub(answer) ?? answer);
      } catch (error) {
        if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
        throw new Unprocessable([{ message: `The trial was stopped: ${error.message}` }]);
      } finally {
        deps.quotas.add(tenantId, { cpuMs: performance.now() - began - (sending?.waitedMs() ?? 0) });
      }
    },
  };
}

/** Runs the work in a thread, and answers what it asks. */
function inThread(
  actor: Actor,
  { work, left, sending }: { work: StoryTrialWork; left: AbortSignal; sending: TrialSending | undefined },
  deps: TrialServiceDeps,
): Promise<StoryTrialDone> {
  const onAsk = createTrialAnswers({
    sending,
    findStory: createTrialStories(actor, deps),
    teams: work.teams,
  });
  const limits = { tenantId: actor.tenantId, bytes: bytesOf(work), signal: left, onAsk };
  return sending === undefined
    ? deps.threads.run('try-story', work, { ...limits, deadlineMs: DEADLINE_MS })
    : deps.sendingThreads.run('try-story', work, { ...limits, deadlineMs: SENDING_DEADLINE_MS });
}

/** Shows the same as runs do: without links that start runs or answer prompts, unless the actor may write (decision 0031). */
async function shownTrial(actor: Actor, teamIds: number[], answer: JsonObject): Promise<JsonObject> {
  const mayWrite = teamIds.every((id) => canWrite(actor, id));
  return mayWrite ? answer : inSlices(hideSteps(answer, { headers: true }));
}

/** The teams whose events the response may show. */
function teamsOf({ teamId, run, event }: TrialPlace, { teams }: StoryTrialWork): number[] {
  return [teamId, run?.teamId ?? teamId, event?.teamId ?? teamId, ...teams.map(({ id }) => id)];
}

/** Seeing a story is enough to try it; sending takes the right to run it, and a story in the request the right to write it. */
function needOf({ sends }: RequestedStoryTrial): 'read' | 'write' {
  return sends ? 'write' : 'read';
}

async function findPlace(session: Session, actor: Actor, wanted: RequestedStoryTrial): Promise<TrialPlace> {
  const { runGuid, eventId } = wanted;
  const run = runGuid === undefined ? undefined : await visibleRun(session, actor, runGuid);
  // An event of a run that the actor may see needs no look of its own.
  const event =
    eventId === undefined || run !== undefined
      ? undefined
      : await visibleEvent(session, actor, { id: eventId, need: 'read' });
  const story = await storyOf(actor, wanted, session);
  if (story !== undefined) return { teamId: story.teamId, storyId: story.id, run, event };
  const teamId = homeTeamId(actor, wanted.teamId ?? run?.teamId ?? event?.teamId, 'write');
  return { teamId, storyId: undefined, run, event };
}

async function visibleRun(session: Session, actor: Actor, guid: string): Promise<RunStory> {
  const run = await findRunPlace(session, { guid, tenantId: actor.tenantId });
  if (run === undefined) throw new NotFound('Story run');
  requireTeam(actor, run.teamId, 'read', 'Story run');
  return run;
}

function storyOf(actor: Actor, wanted: RequestedStoryTrial, session: Session) {
  const { storyId, draftId } = wanted;
  const need = needOf(wanted);
  if (storyId !== undefined) return storyOrDraft(actor, { storyId, draftId }, need, session);
  return draftId === undefined ? undefined : visibleStory(actor, draftId, need, session);
}

function bytesOf({ story, others, past, teams, rules }: StoryTrialWork): number {
  const own = 'graph' in story ? story.graph.length : story.text.length;
  const events = (past?.events ?? []).reduce((sum, { json }) => sum + (json?.length ?? 0), 0);
  const called = others.reduce((sum, text) => sum + text.length, 0);
  const resources = teams.reduce((sum, team) => sum + team.resources.length, 0);
  return 2 * (own + called + events + resources + rules.length);
}

interface TrialAnswersDeps {
  /** Absent: the trial sends nothing. */
  sending: TrialSending | undefined;
  findStory: (id: number) => Promise<TrialCalledStory | undefined>;
  /** The teams whose stories the trial has got already. */
  teams: TrialTeam[];
}

/** Returns the function that answers the questions of one trial. @throws what sending and the stores throw. */
function createTrialAnswers({ sending, findStory, teams }: TrialAnswersDeps) {
  const known = new Set(teams.map(({ id }) => id));
  return async (asked: unknown, ended: AbortSignal): Promise<unknown> => {
    const question = asked as TrialQuestion;
    if (question.kind === 'story') {
      const story = await findStory(question.storyId);
      for (const { id } of story?.teams ?? []) known.add(id);
      return story;
    }
    // A thread with a fault must not get at others' credentials.
    if (sending === undefined || !known.has(question.teamId)) throw new Forbidden();
    return sending.send(question, ended);
  };
}
