import { homeTeamId, requireTeam } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import type { TenantQuotas } from '../../access/quotas/tenant-quotas.js';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { storyOrDraft } from '../../stories/drafts/story-or-draft.js';
import { visibleStory } from '../../stories/visible-story.js';
import { findRunPlace, type StoryPlace } from '../run-place-store.js';
import { visibleEvent } from '../run-access.js';
import type { StoryTrialWork } from './story-trial.js';
import { type TrialPlace, type TrialWorkDeps, trialWorkOf } from './trial-work-of.js';
import type { WantedStoryTrial } from './wanted-trial.js';

export interface TrialServiceDeps extends TrialWorkDeps {
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
}

/** Far beyond the time after which a trial stops by itself: one step alone may take long. */
const DEADLINE_MS = 30_000;

export type TrialService = ReturnType<typeof createTrialService>;

/** Tries stories over memory, in threads: nothing is stored, and nothing is sent (decision 0060). */
export function createTrialService(deps: TrialServiceDeps) {
  const placeOf = (actor: Actor, wanted: WantedStoryTrial): Promise<TrialPlace> =>
    deps.database.read((session) => findPlace(session, actor, wanted));

  return {
    /** Checks what `run` would refuse before it looks at the story. @throws NotFound and Forbidden. */
    async check(actor: Actor, wanted: WantedStoryTrial): Promise<void> {
      await placeOf(actor, wanted);
    },

    /**
     * Returns the answer as JSON.
     * @throws NotFound, Forbidden, QuotaReached; Unprocessable for a story that an import would refuse, one without the
     * action to begin at, and one that takes too long; ThreadsBusy.
     */
    async run(actor: Actor, wanted: WantedStoryTrial): Promise<JsonObject> {
      deps.quotas.requireArrival(actor.tenantId);
      const place = await placeOf(actor, wanted);
      const work = await trialWorkOf(actor, { wanted, place }, deps);
      const began = performance.now();
      try {
        const options = { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes: bytesOf(work) };
        const done = await deps.threads.run('try-story', work, options);
        if (done.problems !== undefined) throw new Unprocessable(done.problems);
        return parseJson(done.json) as JsonObject;
      } catch (error) {
        if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
        throw new Unprocessable([{ message: `The trial was ended: ${error.message}` }]);
      } finally {
        deps.quotas.add(actor.tenantId, { cpuMs: performance.now() - began });
      }
    },
  };
}

async function findPlace(session: Session, actor: Actor, wanted: WantedStoryTrial): Promise<TrialPlace> {
  const { runGuid, eventId } = wanted;
  const run = runGuid === undefined ? undefined : await visibleRun(session, actor, runGuid);
  const event =
    eventId === undefined ? undefined : await visibleEvent(session, actor, { id: eventId, need: 'read' });
  const story = await storyOf(actor, wanted, session);
  if (story !== undefined) return { teamId: story.teamId, storyId: story.id, run, event };
  const teamId = homeTeamId(actor, wanted.teamId ?? run?.teamId ?? event?.teamId, 'write');
  return { teamId, storyId: undefined, run, event };
}

async function visibleRun(session: Session, actor: Actor, guid: string): Promise<StoryPlace> {
  const run = await findRunPlace(session, { guid, tenantId: actor.tenantId });
  if (run === undefined) throw new NotFound('Story run');
  requireTeam(actor, run.teamId, 'read', 'Story run');
  return run;
}

function storyOf(actor: Actor, { storyId, draftId }: WantedStoryTrial, session: Session) {
  if (storyId !== undefined) return storyOrDraft(actor, { storyId, draftId }, 'write', session);
  return draftId === undefined ? undefined : visibleStory(actor, draftId, 'write', session);
}

function bytesOf({ story, others, past, resources, rules }: StoryTrialWork): number {
  const own = 'graph' in story ? story.graph.length : story.text.length;
  const events = (past?.events ?? []).reduce((sum, { json }) => sum + (json?.length ?? 0), 0);
  const called = others.reduce((sum, text) => sum + text.length, 0);
  return 2 * (own + called + events + resources.length + rules.length);
}
