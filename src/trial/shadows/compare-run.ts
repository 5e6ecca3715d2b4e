import { type Actor, canRead } from '../../api/face.js';
import { Forbidden, Unprocessable } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { AroundTrial, TrialWorkDeps } from '../api/trial-work-of.js';
import { calledIn, loadAround, workFrom } from '../api/trial-work-of.js';
import type { TrialQuestion } from '../sending/send-order.js';
import { type FoundRun, loadPastRun } from '../start/load-past-run.js';
import { startOfRun } from '../start/load-trial-start.js';
import { createTrialStories } from '../start/trial-stories.js';
import type { PastRun, StoryTrialWork } from '../story/story-trial.js';
import type { AskTrial } from '../story/try-story-task.js';
import { type FoundDifference, ownDifferences, type RunComparison } from './run-comparison.js';
import type { ShadowSkipReason } from './shadow.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'compare-run': (work: StoryTrialWork, ask: AskTrial) => Promise<RunComparison>;
  }
}

export interface CompareRunDeps extends TrialWorkDeps {
  threads: Pick<ThreadPool, 'run'>;
}

/** The draft of a shadow, its story, and whose rights hold. */
export interface DraftToCompare {
  actor: Actor;
  teamId: number;
  storyId: number;
  draftId: number;
}

/** A run beside its draft. `open`: a run that it called goes on. */
export type ComparedRun =
  | { skipped: ShadowSkipReason | 'open' }
  | { skipped?: undefined; differences: FoundDifference[]; isPartial: boolean };

const DEADLINE_MS = 30_000;
/** Runs that called other stories than the others: what surrounds their trials is loaded for each. */
const MOST_AROUND = 20;

/**
 * Returns the function that tries a draft with a run, and returns what differs because of the draft: what the live story, tried with
 * the same run, does otherwise than the run too is left out. Nothing is sent or stored. It keeps the state of both stories from
 * its first run on. @throws ThreadsBusy, and errors of the stores.
 */
export function createRunComparer(draft: DraftToCompare, deps: CompareRunDeps) {
  const { actor, storyId, draftId } = draft;
  const aroundOf = createAround(draft, deps);

  const tried = async (id: number, past: PastRun): Promise<RunComparison> => {
    const start = startOfRun(past, { action: undefined });
    const around = await aroundOf(id, calledIn(past));
    return inThread(actor, workFrom(around, { past, start, rules: '[]', sends: false }, deps), deps);
  };

  const compare = async (past: PastRun): Promise<ComparedRun> => {
    const ofDraft = await tried(draftId, past);
    if (ofDraft.skipped !== undefined) return ofDraft;
    if (ofDraft.differences.length === 0) return { differences: [], isPartial: false };
    const ofLive = await tried(storyId, past);
    // The live story may have no action to begin at any more, which is no fault of the draft.
    const known = ofLive.skipped === undefined ? ofLive.differences : [];
    const own = ownDifferences(ofDraft.differences, known);
    const teamOf = (id: number | null) => teamInRun(past, id, draft.teamId);
    return {
      differences: own.map((found) => ({ ...found, teamId: teamOf(found.pastActionId) })),
      isPartial: known.length > 0,
    };
  };

  return async (run: Omit<FoundRun, 'storyId'>): Promise<ComparedRun> => {
    const load = (session: Session) =>
      loadPastRun(session, { ...run, storyId }, (teamId) => canRead(actor, teamId));
    const past = await deps.database.read(load);
    if (past === undefined) return { skipped: 'events_deleted' };
    if (!past.isOver) return { skipped: 'open' };
    if (past.notTaken.length > 0) return { skipped: 'incomplete' };
    return compare(past).catch((error: unknown) => {
      const isTooMuch =
        error instanceof TaskTooLong || error instanceof TaskTooLarge || error instanceof Unprocessable;
      if (!isTooMuch) throw error;
      return { skipped: 'too_large' };
    });
  };
}

/** Returns the team of an action by the events of its run; null if only the called runs can have had it. */
function teamInRun({ guid, events, calls }: PastRun, actionId: number | null, ownTeamId: number) {
  const runGuid = events.find(({ agentId }) => agentId === actionId)?.runGuid;
  if (calls.length === 0 || runGuid === guid) return ownTeamId;
  return calls.find((call) => call.runGuid === runGuid)?.teamId ?? null;
}

/** Loads what surrounds trials of a story once for all runs that called the same stories. */
function createAround({ actor, teamId }: DraftToCompare, deps: CompareRunDeps) {
  const known = new Map<string, Promise<AroundTrial>>();
  return (id: number, calledIds: number[]): Promise<AroundTrial> => {
    const key = [id, ...calledIds.toSorted((a, b) => a - b)].join(' ');
    const loaded = known.get(key);
    if (loaded !== undefined) return loaded;
    if (known.size >= MOST_AROUND) known.clear();
    const place = { teamId, storyId: id, run: undefined, event: undefined };
    const loading = loadAround(
      actor,
      { asked: { wanted: { ...NOTHING, storyId: id }, place }, calledIds },
      deps,
    );
    known.set(key, loading);
    return loading;
  };
}

const NOTHING = {
  draftId: undefined,
  story: undefined,
  teamId: undefined,
  runGuid: undefined,
  event: undefined,
  eventId: undefined,
  action: undefined,
  rules: '[]',
  sends: false,
};

function inThread(actor: Actor, work: StoryTrialWork, deps: CompareRunDeps): Promise<RunComparison> {
  const findStory = createTrialStories(actor, deps);
  return deps.threads.run('compare-run', work, {
    tenantId: actor.tenantId,
    deadlineMs: DEADLINE_MS,
    onAsk(asked) {
      const question = asked as TrialQuestion;
      return question.kind === 'story' ? findStory(question.storyId) : Promise.reject(new Forbidden());
    },
  });
}
