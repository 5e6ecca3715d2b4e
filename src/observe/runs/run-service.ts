import type { Actor, LiveEvents } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { WalkPage, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound, type Problem } from '../../platform/errors.js';
import { cancelRun, type RunNotifications } from '../../engine/face.js';
import type { JsonObject } from '../../platform/json.js';
import type { TenantQuotas } from '../../people/face.js';
import {
  type StoryChanges,
  type StoryGraph,
  type StoryGraphs,
  storyOrDraft,
  visibleStory,
} from '../../stories/face.js';
import type { FindArchivedRun } from './archived-run.js';
import { type EventsPage, type RunDetails, viewRun } from './run-details.js';
import { runEntryOf, requireEntry, type Runnable } from './run-entry.js';
import { listRunIds, type RunFilter } from './run-list-store.js';
import { findRunId } from './run-place-store.js';
import { type RunStartDeps, startRun } from './run-start.js';
import { redactRun } from './redact-run.js';
import { findRunViews } from './run-view-store.js';
import type { RunView } from './run.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { spelledJson } from '../../platform/json/whole-json.js';

/** A run, by its story and its guid. */
export interface RunKey {
  storyId: number;
  guid: string;
}

/** A request to start a run. */
export interface RequestedRun {
  agentId?: number | undefined;
  /** The event that a webhook emits, or the input of another action. */
  payload: JsonObject;
}

/** The filter of a list of runs; `draftId`: of that draft instead of the story. */
export interface RunListFilter extends RunFilter {
  draftId?: number | undefined;
}

export interface RunServiceDeps extends RunStartDeps {
  database: Database;
  graphs: Pick<StoryGraphs, 'find' | 'invalidate'>;
  progress: Pick<RunNotifications, 'advance'>;
  /** Receives started and cancelled runs. */
  liveEvents: Pick<LiveEvents, 'runsStarted' | 'mayHaveEnded'>;
  /** Tells workers to check their running work of the story. */
  changes: Pick<StoryChanges, 'announce'>;
  /** Looks into the archive; absent: there is none. */
  archived?: FindArchivedRun | undefined;
  newRunGuid(): string;
  runnable: Runnable;
  quotas: Pick<TenantQuotas, 'requireArrival' | 'add'>;
  /** Returns JSON text from outside in the form in which it may be stored. */
  admit(json: string): string;
}

export type RunService = ReturnType<typeof createRunService>;

/** Runs of stories, with checks of what the actor may see, start and cancel (spec §2.2 and §5.7). */
export function createRunService(deps: RunServiceDeps) {
  const { database } = deps;
  const authorized = (actor: Actor, storyId: number) =>
    database.read((session) => visibleStory(actor, storyId, 'write', session));

  return {
    /**
     * Returns a page of the runs of a story, or of its draft, newest first.
     * @throws NotFound for a story or draft that the actor may not see.
     */
    list(
      actor: Actor,
      { draftId, ...filter }: RunListFilter,
      window: WalkWindow,
    ): Promise<WalkPage<RunView>> {
      return database.read(async (session) => {
        const place = { storyId: filter.storyId, draftId };
        const { id: storyId } = await storyOrDraft(actor, place, 'read', session);
        const page = await listRunIds(session, { ...filter, storyId }, window);
        return { ...page, items: await findRunViews(session, page.items) };
      });
    },

    /** Returns the run without its events. @throws NotFound for one that the actor may not see. */
    summary: (actor: Actor, key: RunKey): Promise<RunView> =>
      database.read(async (session) => {
        await visibleStory(actor, key.storyId, 'read', session);
        return findRun(session, key);
      }),

    /**
     * Returns the run with a page of its events, from the archive if retention has deleted them.
     * @throws NotFound for one that the actor may not see; Unavailable if the archive cannot be read.
     */
    async get(actor: Actor, key: RunKey, window: EventsPage): Promise<RunDetails> {
      const { story, stored } = await database.read(async (session) => {
        const seen = await visibleStory(actor, key.storyId, 'read', session);
        const run = await findRunOrNone(session, key);
        return { story: seen, stored: run && (await viewRun(session, run, window)) };
      });
      const { tenantId } = actor;
      const archived = await deps.archived?.({ guid: key.guid, story, tenantId, window, stored });
      const run = archived ?? stored;
      if (run === undefined) throw new NotFound('Story run');
      return redactRun(actor, story.teamId, run);
    },

    /** Returns the faults in the usable parts of a request to start a run. @throws NotFound and Forbidden as `start`. */
    async checkStart(
      actor: Actor,
      storyId: number,
      { agentId }: Pick<RequestedRun, 'agentId'>,
    ): Promise<Problem[]> {
      await authorized(actor, storyId);
      const { problem } = runEntryOf(await currentStory(storyId, deps), agentId, deps.runnable);
      return problem === undefined ? [] : [problem];
    },

    /**
     * Starts a run: its first action processes the payload, from the queue of starts.
     * @throws NotFound and Forbidden; Unprocessable for an action that cannot be the first; Conflict if story or action
     * is disabled; PayloadTooLarge; QuotaReached.
     */
    async start(actor: Actor, storyId: number, { agentId, payload }: RequestedRun): Promise<RunView> {
      await authorized(actor, storyId);
      const story = await currentStory(storyId, deps);
      const agent = requireEntry(story, runEntryOf(story, agentId, deps.runnable));
      deps.quotas.requireArrival(actor.tenantId);
      const guid = deps.newRunGuid();
      const input = deps.admit(spelledJson(stringifyJson(payload)));
      await startRun({ guid, storyId, agentId: agent.id, source: 'api', input }, deps);
      deps.quotas.add(actor.tenantId, { events: 1, bytes: Buffer.byteLength(input) });
      return database.read((session) => findRun(session, { storyId, guid }));
    },

    /**
     * Cancels the run and the runs that it started by Send to story. Their open deliveries are deleted; running actions
     * are told to stop, and their events are not delivered. A cancelled run stays cancelled. @throws NotFound and Forbidden.
     */
    async cancel(actor: Actor, key: RunKey): Promise<RunView> {
      await authorized(actor, key.storyId);
      await database.read((session) => findRun(session, key));
      await cancelRun(database, key.guid);
      await deps.changes.announce(key.storyId);
      deps.progress.advance([key.guid]);
      deps.liveEvents.mayHaveEnded([key.guid]);
      return database.read((session) => findRun(session, key));
    },
  };
}

async function findRun(session: Session, key: RunKey): Promise<RunView> {
  const run = await findRunOrNone(session, key);
  if (run === undefined) throw new NotFound('Story run');
  return run;
}

async function findRunOrNone(session: Session, key: RunKey): Promise<RunView | undefined> {
  const id = await findRunId(session, key);
  const [run] = id === undefined ? [] : await findRunViews(session, [id]);
  return run;
}

/** Returns the current version of the story, not one that is some seconds old. */
async function currentStory(storyId: number, { graphs }: RunServiceDeps): Promise<StoryGraph> {
  graphs.invalidate(storyId);
  const story = await graphs.find(storyId);
  if (story === undefined) throw new NotFound('Story');
  return story;
}
