import type { Actor, LiveEvents } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { WalkPage, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import { Conflict, NotFound, PayloadTooLarge, type Problem, Unprocessable } from '../../platform/errors.js';
import {
  cancelRun,
  type Dispatcher,
  insertStarts,
  type NewStart,
  type ReadPendingReasons,
  type RunMeter,
  type RunNotifications,
} from '../../engine/face.js';
import type { JsonObject } from '../../platform/json.js';
import type { TenantQuotas } from '../../people/face.js';
import {
  type AgentNode,
  startAgentOf,
  type StoryChanges,
  type StoryGraph,
  type StoryGraphs,
  storyOrDraft,
  type StoryRecord,
  visibleStory,
} from '../../stories/face.js';
import type { Window } from '../../platform/mysql/statements/page-query.js';
import { type EventsPage, type RunDetails, viewRun } from './run-details.js';
import { listRunIds, type RunFilter } from './run-list-store.js';
import { findRunId } from './run-place-store.js';
import { isDuplicateKey, isTransient } from '../../platform/mysql/db-errors.js';
import { fitsPacket } from '../../platform/mysql/statements/insert-rows.js';
import { redactRun } from './redact-run.js';
import { findRunViews } from './run-view-store.js';
import type { RunSubjects, RunWithSubject, Subject } from '../subjects/run-subjects.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { spelledJson } from '../../platform/json/whole-json.js';

/** Few, because the client waits for the response. */
const MAX_TRIES = 2;

export interface RunStartDeps {
  database: Pick<Database, 'transaction' | 'facts'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  /** Counts runs; absent: they are not counted. */
  meter?: RunMeter | undefined;
  /** Optional: receives the started run. */
  liveEvents?: Pick<LiveEvents, 'runsStarted'>;
}

/** Returns the reason why an action with these options can be stored but not run; undefined if it can run. */
export type Runnable = (type: string, options: JsonObject) => string | undefined;

/** A run that the archive may have. */
export interface RunLookup {
  guid: string;
  story: StoryRecord;
  tenantId: number;
  /** The page of events. */
  window: Window;
  /** The run as the tables have it; undefined: they have it no longer. */
  stored: RunDetails | undefined;
}

/**
 * Returns the run as the archive has it; undefined if the archive does not have it, or has no more than the tables.
 * @throws Unavailable if the archive cannot be read.
 */
export type FindArchivedRun = (wanted: RunLookup) => Promise<RunDetails | undefined>;

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
  /** Tells why pending deliveries do not run. */
  pendingReasons: ReadPendingReasons;
  newRunGuid(): string;
  runnable: Runnable;
  subjects: RunSubjects;
  quotas: Pick<TenantQuotas, 'requireArrival' | 'add'>;
  /** Returns JSON text from outside in the form in which it may be stored. */
  admit(json: string): string;
}

export type RunService = ReturnType<typeof createRunService>;

/** Runs of stories, with checks of what the actor may see, start and cancel (spec §2.2 and §5.7). */
export function createRunService(deps: RunServiceDeps) {
  const { database, subjects } = deps;
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
    ): Promise<WalkPage<RunWithSubject>> {
      return database.read(async (session) => {
        const place = { storyId: filter.storyId, draftId };
        const { id: storyId } = await storyOrDraft(actor, place, 'read', session);
        const page = await listRunIds(session, { ...filter, storyId }, window);
        const runs = await findRunViews(session, page.items);
        return { ...page, items: await subjects.of(session, runs) };
      });
    },

    /** Returns the run without its events. @throws NotFound for one that the actor may not see. */
    summary: (actor: Actor, key: RunKey): Promise<RunWithSubject> =>
      database.read(async (session) => {
        await visibleStory(actor, key.storyId, 'read', session);
        return findRun(session, key, deps);
      }),

    /**
     * Returns the run with a page of its events, from the archive if retention has deleted them.
     * @throws NotFound for one that the actor may not see; Unavailable if the archive cannot be read.
     */
    async get(actor: Actor, key: RunKey, window: EventsPage): Promise<RunDetails & Subject> {
      const { story, stored, named } = await database.read(async (session) => {
        const seen = await visibleStory(actor, key.storyId, 'read', session);
        const run = await findRunOrNone(session, key, deps);
        return {
          story: seen,
          named: run,
          stored: run && (await viewRun(session, { run, viewer: { actor, teamId: seen.teamId } }, window)),
        };
      });
      const { tenantId } = actor;
      const archived = await deps.archived?.({ guid: key.guid, story, tenantId, window, stored });
      const run = archived ?? (stored && (await withReasons(stored, deps)));
      if (run === undefined) throw new NotFound('Story run');
      const subject =
        archived === undefined
          ? (named?.subject ?? null)
          : await database.read((session) => subjects.ofArchived(session, archived));
      return { ...redactRun(actor, story.teamId, run), subject };
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
    async start(actor: Actor, storyId: number, { agentId, payload }: RequestedRun): Promise<RunWithSubject> {
      await authorized(actor, storyId);
      const story = await currentStory(storyId, deps);
      const agent = requireEntry(story, runEntryOf(story, agentId, deps.runnable));
      deps.quotas.requireArrival(actor.tenantId);
      const guid = deps.newRunGuid();
      const input = deps.admit(spelledJson(stringifyJson(payload)));
      await startRun({ guid, storyId, agentId: agent.id, source: 'api', input }, deps);
      deps.quotas.add(actor.tenantId, { events: 1, bytes: Buffer.byteLength(input) });
      return database.read((session) => findRun(session, { storyId, guid }, deps));
    },

    /**
     * Cancels the run and the runs that it started by Send to story. Their open deliveries are deleted; running actions
     * are told to stop, and their events are not delivered. A cancelled run stays cancelled. @throws NotFound and Forbidden.
     */
    async cancel(actor: Actor, key: RunKey): Promise<RunWithSubject> {
      await authorized(actor, key.storyId);
      await database.read((session) => findRun(session, key, deps));
      await cancelRun(database, key.guid);
      await deps.changes.announce(key.storyId);
      deps.progress.advance([key.guid]);
      deps.liveEvents.mayHaveEnded([key.guid]);
      return database.read((session) => findRun(session, key, deps));
    },
  };
}

/** Adds what Redis knows of the pending deliveries: whether a worker has them, and what their queue waits for. */
async function withReasons(
  run: RunDetails,
  { pendingReasons }: Pick<RunServiceDeps, 'pendingReasons'>,
): Promise<RunDetails> {
  const { deliveries, count } = run.open;
  const pending = deliveries.filter(({ state }) => state === 'pending');
  const jobs = pending.map(({ id, generation, queue }) => ({
    deliveryId: id,
    generation,
    queue,
    storyId: run.storyId,
  }));
  const reasons = await pendingReasons(jobs);
  const told = deliveries.map((each) => ({ ...each, reason: reasons.get(each.id) ?? each.reason }));
  return { ...run, open: { count, deliveries: told } };
}

type SubjectDeps = Pick<RunServiceDeps, 'subjects'>;

async function findRun(session: Session, key: RunKey, deps: SubjectDeps): Promise<RunWithSubject> {
  const run = await findRunOrNone(session, key, deps);
  if (run === undefined) throw new NotFound('Story run');
  return run;
}

async function findRunOrNone(
  session: Session,
  key: RunKey,
  { subjects }: SubjectDeps,
): Promise<RunWithSubject | undefined> {
  const id = await findRunId(session, key);
  const [run] = id === undefined ? [] : await subjects.of(session, await findRunViews(session, [id]));
  return run;
}

/** Returns the current version of the story, not one that is some seconds old. */
async function currentStory(storyId: number, { graphs }: RunServiceDeps): Promise<StoryGraph> {
  graphs.invalidate(storyId);
  const story = await graphs.find(storyId);
  if (story === undefined) throw new NotFound('Story');
  return story;
}

/** The first action of a run, or the reason why there is none. */
type RunEntry = { agent: AgentNode; problem?: undefined } | { agent?: undefined; problem: Problem };

/**
 * Returns the first action of a manual run: the named one, else the story's entry action, else its first webhook, else
 * its first action without incoming links.
 */
export function runEntryOf(story: StoryGraph, agentId: number | undefined, runnable: Runnable): RunEntry {
  const agent = agentId === undefined ? startAgentOf(story) : story.agents.get(agentId);
  if (agent === undefined) {
    return problem(
      agentId === undefined
        ? 'The story has no action that a run can start at; set "agent_id"'
        : '"agent_id" is not an action of this story',
    );
  }
  const reason = runnable(agent.type, agent.options);
  return reason === undefined ? { agent } : problem(`The action "${agent.name}" cannot run: ${reason}`);
}

function problem(message: string): RunEntry {
  return { problem: { message, details: 'agent_id' } };
}

/** Returns the action if a run can start with it now. @throws Unprocessable, or Conflict if something is disabled. */
export function requireEntry(story: StoryGraph, { agent, problem }: RunEntry): AgentNode {
  if (agent === undefined) throw new Unprocessable([problem]);
  if (story.disabled) throw new Conflict('The story is disabled');
  if (agent.disabled) throw new Conflict(`The action "${agent.name}" is disabled`);
  return agent;
}

/**
 * Stores the run with its input and its first delivery, and dispatches its job.
 * @throws PayloadTooLarge; the driver's error if the database cannot store it.
 */
export async function startRun(start: NewStart, deps: RunStartDeps): Promise<void> {
  await store(start, deps);
  deps.meter?.started(start.source, 1);
  deps.liveEvents?.runsStarted([start]);
}

async function store(start: NewStart, { database, dispatcher }: RunStartDeps): Promise<void> {
  const { maxAllowedPacket } = await database.facts();
  if (!fitsPacket(Buffer.byteLength(start.input), maxAllowedPacket)) {
    throw new PayloadTooLarge('The payload is too large to store');
  }
  for (let tries = 1; ; tries++) {
    try {
      const jobs = await database.transaction((session) => insertStarts(session, [start]));
      dispatcher.dispatch(jobs);
      return;
    } catch (error) {
      // An earlier try was committed, but its response was lost (rule 3): the relay adds the job.
      if (tries > 1 && isDuplicateKey(error)) return;
      if (tries === MAX_TRIES || !isTransient(error)) throw error;
    }
  }
}
