import { type OutputBranch, triggerAgent } from '../../agents/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import { findEvents, type StoredEvent } from '../state/events/event-store.js';
import { findRunHold, holdRun, type RunHold } from '../state/runs/run-hold-store.js';
import type { JsonValue } from '../../platform/json.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import type { TenantQuotas } from '../../people/face.js';
import type { AgentNode, StoryGraph, StoryGraphs } from '../../stories/face.js';
import { createDirectLoader } from '../dispatch/adding/direct-loader.js';
import { emit, failureOutput } from '../dispatch/adding/emission.js';
import { type EventMark, insertEventMarks, isFailureEvent } from '../state/events/event-mark-store.js';
import type { Emission } from '../state/outcome.js';
import { NOTHING_STORED, type Stored, storeOutputs } from './store-outputs.js';

/** An event to emit again. */
export interface EmittedEvent {
  id: number;
  storyRunGuid: string;
  storyId: number;
  agentId: number;
}

export interface ReemitDeps {
  database: Database;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent' | 'invalidate'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  /** Called with awaited runs that got a new event. */
  onAwaitedProgress(guids: string[]): void;
  /** Counts what is stored. */
  usage: Pick<TenantQuotas, 'addOfStory'>;
}

/**
 * Stores an event's output again, as a new event of the same run with the same lineage, for the agent's current
 * receivers. Returns the new event's id.
 */
export type Reemit = (event: EmittedEvent) => Promise<number>;

export function createReemit(deps: ReemitDeps): Reemit {
  return async (event) => {
    const { emission, run, failure } = await prepare(event, deps);
    const { eventIds, jobs } = await retryLockConflicts(() =>
      deps.database.transaction(async (session): Promise<Stored> => {
        const held = await holdRun(session, event.storyRunGuid);
        if (held === undefined) throw new NotFound('Event');
        refuseCancelled(held);
        const [stored = NOTHING_STORED] = await storeOutputs(session, [emission]);
        await insertEventMarks(session, marksOf(event, stored.eventIds, failure));
        return stored;
      }),
    );
    deps.dispatcher.dispatch(jobs);
    for (const { payload } of emission.outputs) {
      deps.usage.addOfStory(event.storyId, { events: 1, bytes: Buffer.byteLength(payload) });
    }
    if (run?.awaited === true) deps.onAwaitedProgress([event.storyRunGuid]);
    return eventIds[0] ?? 0;
  };
}

/** Returns what to store. @throws Conflict if the run was cancelled, or story or agent is disabled or deleted. */
async function prepare(
  { id, storyRunGuid, storyId, agentId }: EmittedEvent,
  { database, graphs }: ReemitDeps,
): Promise<{ emission: Emission; run: RunHold | undefined; failure: boolean }> {
  const { story, agent } = await emitterOf(storyId, agentId, graphs);
  const loader = createDirectLoader(database);
  const [run, call, [event], failure] = await Promise.all([
    database.read((session) => findRunHold(session, storyRunGuid)),
    loader.call(storyRunGuid),
    database.read((session) => findEvents(session, [id])),
    database.read((session) => isFailureEvent(session, id)),
  ]);
  refuseCancelled(run);
  if (event === undefined) throw new NotFound('Event');
  const delivery = {
    storyRunGuid,
    awaited: run?.awaited === true,
    called: call !== undefined,
    depth: hopsTo(event),
  };
  // The event is its own parent, so that the new event has the same lineage.
  const emitter = { delivery, story, agent, parent: event };
  const outgoing = { payload: event.payload, branch: branchOf(agent, event.payload) };
  const outputs = failure
    ? [failureOutput(emitter, event.payload)]
    : await emit(emitter, [outgoing], { loader, graphs });
  return { emission: { outputs }, run, failure };
}

/** The first stored event is the copy; others are those of calling agents. */
function marksOf({ storyId, agentId }: EmittedEvent, [eventId]: number[], failure: boolean): EventMark[] {
  return eventId === undefined ? [] : [{ eventId, storyId, agentId, failure, reemitted: true }];
}

/** Returns the current story and agent, not the cached ones. */
async function emitterOf(
  storyId: number,
  agentId: number,
  graphs: ReemitDeps['graphs'],
): Promise<{ story: StoryGraph; agent: AgentNode }> {
  graphs.invalidate(storyId);
  const story = await graphs.find(storyId);
  const agent = story?.agents.get(agentId);
  if (story === undefined || agent === undefined) throw new Conflict('The action has been deleted');
  if (story.disabled) throw new Conflict('The story is disabled');
  if (agent.disabled) throw new Conflict('The action is disabled');
  return { story, agent };
}

function refuseCancelled(run: RunHold | undefined): void {
  if (run?.cancelled === true) throw new Conflict('The run was cancelled');
}

/** Returns the least number of agents before the event; in a loop it may have passed more. */
function hopsTo({ lineage }: StoredEvent): number {
  return Object.keys(lineage).length - 1;
}

const NO_MATCH = JSON.stringify({ rule_matched: false });
const NO: (JsonValue | undefined)[] = [undefined, null, false, 'false', ''];

/** Returns the event's branch: only for a trigger's no-match it differs from `normal`. */
function branchOf({ type, options }: AgentNode, payload: string): OutputBranch {
  if (type !== triggerAgent.type || payload !== NO_MATCH) return 'normal';
  return NO.includes(options['emit_no_match']) ? 'secondary' : 'all';
}
