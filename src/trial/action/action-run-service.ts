import { webhookAgent } from '../../agents/face.js';
import type { Actor } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import type { RunStarter } from '../../engine/face.js';
import { NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonObject } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import { spelledJson } from '../../platform/json/whole-json.js';
import type { AgentNode, StoryGraph, StoryGraphs } from '../../stories/face.js';
import {
  runEntryOf,
  findInputId,
  requireEntry,
  type Runnable,
  type RunStartDeps,
  startRun,
  visibleRunAgent,
  visibleEvent,
} from '../../observe/face.js';
import type { ActionTrial, TrialInput, TryAction } from './action-trial.js';

/** A run that was started by hand. */
export interface ManualRun {
  storyRunGuid: string;
  storyId: number;
  agentId: number;
  /** The event of a webhook, or the run's input; undefined while the event waits for the database. */
  eventId: number | undefined;
}

/** The input of a trial of an action, and its options. */
export interface RequestedActionTrial {
  event?: JsonObject | undefined;
  eventId?: number | undefined;
  options?: JsonObject | undefined;
  sends: boolean;
}

export interface ActionRunServiceDeps extends RunStartDeps {
  database: Database;
  graphs: Pick<StoryGraphs, 'find' | 'invalidate'>;
  /** Stores a webhook's event. */
  starter: RunStarter;
  tryAction: TryAction;
  newRunGuid(): string;
  runnable: Runnable;
  quotas: Pick<TenantQuotas, 'requireArrival' | 'add'>;
  /** Returns JSON text from outside in the form in which it may be stored. */
  admit(json: string): string;
}

export type ActionRunService = ReturnType<typeof createActionRunService>;

/** Runs actions by hand, with checks of what the actor may start (spec §5.7). */
export function createActionRunService(deps: ActionRunServiceDeps) {
  const { database } = deps;
  const inputOf = (event: JsonObject) => deps.admit(spelledJson(stringifyJson(event)));

  return {
    /** Returns the faults of the action itself. @throws NotFound, Forbidden. */
    async check(actor: Actor, agentId: number): Promise<Problem[]> {
      const { problem } = await foundAction(actor, agentId, deps);
      return problem === undefined ? [] : [problem];
    },

    /**
     * Starts a run at the action: a webhook emits the event, any other action receives it as input. Without an event it
     * starts as by a schedule. The run is stored when this resolves.
     * @throws NotFound, Forbidden; Unprocessable for an action that does not run here; Conflict if story or action is
     * disabled; PayloadTooLarge; QuotaReached.
     */
    async run(actor: Actor, agentId: number, event: JsonObject = {}): Promise<ManualRun> {
      const { story, ...entry } = await foundAction(actor, agentId, deps);
      const agent = requireEntry(story, entry);
      deps.quotas.requireArrival(actor.tenantId);
      const storyRunGuid = deps.newRunGuid();
      const started = { storyRunGuid, storyId: story.id, agentId };
      if (agent.type === webhookAgent.type) {
        const run = { story, agent, payload: event, source: 'api' as const, guid: storyRunGuid };
        return { ...started, eventId: (await deps.starter.start(run)).eventId };
      }
      const input = inputOf(event);
      await startRun({ guid: storyRunGuid, storyId: story.id, agentId, source: 'api', input }, deps);
      deps.quotas.add(actor.tenantId, { events: 1, bytes: Buffer.byteLength(input) });
      return { ...started, eventId: await database.read((session) => findInputId(session, storyRunGuid)) };
    },

    /**
     * Runs the action once without storing anything; its requests and mails are sent only if `sends`. It may be disabled.
     * `left` ends it, with the request that it sends.
     * @throws NotFound, Forbidden; Unprocessable for an action that does not run here, and for an event of another story;
     * Unavailable; the reason of `left`.
     */
    async runTrial(
      actor: Actor,
      { id, left }: { id: number; left: AbortSignal },
      wanted: RequestedActionTrial,
    ): Promise<ActionTrial> {
      const { story, ...entry } = await foundAction(actor, id, deps);
      if (entry.agent === undefined) throw new Unprocessable([entry.problem]);
      const agent: AgentNode = { ...entry.agent, options: wanted.options ?? entry.agent.options };
      const { eventId } = wanted;
      const input: TrialInput =
        eventId === undefined
          ? { json: inputOf(wanted.event ?? {}) }
          : await storedInput(actor, { eventId, story, agent }, deps);
      return deps.tryAction({ story, agent, input, sends: wanted.sends, left });
    },
  };
}

async function foundAction(actor: Actor, agentId: number, deps: ActionRunServiceDeps) {
  const { storyId } = await deps.database.read((session) =>
    visibleRunAgent(session, actor, agentId, 'write'),
  );
  deps.graphs.invalidate(storyId);
  const story = await deps.graphs.find(storyId);
  if (story?.agents.has(agentId) !== true) throw new NotFound('Action');
  return { story, ...runEntryOf(story, agentId, deps.runnable) };
}

/** The event must be of the same story, as its slugs and its secrets are. */
async function storedInput(
  actor: Actor,
  { eventId, story, agent }: { eventId: number; story: StoryGraph; agent: AgentNode },
  { database }: ActionRunServiceDeps,
): Promise<TrialInput> {
  if (agent.type === webhookAgent.type) throw problemOf('A webhook cannot receive events: set "event"');
  const event = await database.read((session) =>
    visibleEvent(session, actor, { id: eventId, need: 'write' }),
  );
  if (event.storyId !== story.id) throw problemOf('The event does not belong to the story of this action');
  return { eventId, storyRunGuid: event.storyRunGuid };
}

function problemOf(message: string): Unprocessable {
  return new Unprocessable([{ message, details: 'event_id' }]);
}
