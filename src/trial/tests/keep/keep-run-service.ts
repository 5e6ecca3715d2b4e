import { type Actor, requireTeam } from '../../../api/face.js';
import type { TenantQuotas } from '../../../people/face.js';
import { NotFound, Unprocessable } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { storyOrDraft } from '../../../stories/face.js';
import { findRunPlace, type RunStory } from '../../../observe/face.js';
import { type TrialWorkDeps, trialWorkOf } from '../../api/trial-work-of.js';
import { metered } from '../api/test-run-service.js';
import type { RequestedAction } from '../../story/story-trial.js';
import { loadTestedStory } from '../api/tested-story.js';
import type { KeepWork, KeptDone } from './keep-run-task.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'keep-run': (work: KeepWork) => Promise<KeptDone>;
  }
}

/** The story is run several times, each of which stops by itself. */
const DEADLINE_MS = 60_000;

/** The run or trial to keep as a test. */
export interface RequestedKeep {
  storyId: number;
  draftId: number | null | undefined;
  /** The past run; undefined: a trial, which begins with `event`. */
  runGuid: string | undefined;
  event: JsonObject | undefined;
  action: RequestedAction | undefined;
  /** JSON of the rules that answer requests before the run does. */
  rules: string;
  name: string;
  description: string | undefined;
}

export interface KeepRunServiceDeps extends TrialWorkDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
}

export type KeepRunService = ReturnType<typeof createKeepRunService>;

/** Makes tests of past runs and of trials (spec §3.20). */
export function createKeepRunService(deps: KeepRunServiceDeps) {
  const placeOf = (
    actor: Actor,
    { storyId, draftId, runGuid }: Partial<RequestedKeep> & Pick<RequestedKeep, 'storyId'>,
  ) =>
    deps.database.read(async (session) => {
      const found = await storyOrDraft(actor, { storyId, draftId }, 'write', session);
      if (runGuid === undefined) return { found, run: undefined };
      const run = await findRunPlace(session, { guid: runGuid, tenantId: actor.tenantId });
      if (run === undefined) throw new NotFound('Story run');
      requireTeam(actor, run.teamId, 'read', 'Story run');
      return { found, run };
    });

  return {
    /** @throws NotFound and Forbidden as `keep`. */
    async check(actor: Actor, asked: { storyId: number; draftId: number | null | undefined }): Promise<void> {
      await placeOf(actor, asked);
    },

    /**
     * Returns a test that passes: it expects what the story does with the start and the responses of the run or trial.
     * @throws NotFound, Forbidden, QuotaReached; Unprocessable for a run of another story, one of which too much was deleted
     * or is too large, and if the story does not do the same twice; ThreadsBusy; the reason of `left`.
     */
    async keep(actor: Actor, wanted: RequestedKeep, left: AbortSignal): Promise<JsonObject> {
      deps.quotas.requireArrival(actor.tenantId);
      const { found, run } = await placeOf(actor, wanted);
      if (wanted.runGuid !== undefined) requireOwn(run, [found.id, wanted.storyId]);
      const { id, teamId } = found;
      const { name, description, runGuid, event, action, rules } = wanted;
      const begun = { runGuid, event, action, rules };
      const trial = await trialWorkOf(
        actor,
        {
          wanted: { ...NOTHING, ...begun, storyId: id },
          place: { teamId, storyId: id, run, event: undefined },
        },
        deps,
      );
      const { text } = await loadTestedStory(actor, found, deps);
      const { limits, domain, baseUrl } = deps;
      const work = { trial, story: { text, limits, domain, baseUrl }, name, description };
      const events = (trial.past?.events ?? []).reduce((sum, { json }) => sum + (json?.length ?? 0), 0);
      const done = await metered(actor, deps, () =>
        deps.threads.run('keep-run', work, {
          tenantId: actor.tenantId,
          bytes: 2 * (2 * text.length + events),
          signal: left,
          deadlineMs: DEADLINE_MS,
        }),
      );
      if (done.problems !== undefined) throw new Unprocessable(done.problems);
      return parseJson(done.json) as JsonObject;
    },
  };
}

const NOTHING = {
  draftId: undefined,
  story: undefined,
  teamId: undefined,
  eventId: undefined,
  sends: false,
};

function requireOwn(run: RunStory | undefined, storyIds: number[]): void {
  if (run !== undefined && storyIds.includes(run.storyId)) return;
  const message = '"run_guid" is a run of another story';
  throw new Unprocessable([{ message, details: 'run_guid' }]);
}
