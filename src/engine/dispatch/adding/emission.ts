import {
  type OutputBranch,
  callsInLoop,
  extendLineage,
  type Lineage,
  type DeliveryQueue,
  findAgentType,
} from '../../../agents/face.js';
import type { Caller, StoryCall } from '../../state/deliveries/call-store.js';
import {
  type AgentNode,
  findActionInStory,
  type LinkKind,
  type StoryGraph,
  type StoryGraphs,
} from '../../../stories/face.js';
import type { EventBranch, Origin, Receiver, StoredOutput } from '../../state/outcome.js';

/** Most levels of calling stories; `call-story.ts` refuses deeper calls long before. */
const MAX_LEVELS = 50;

/** The agent that emits, with its delivery and inbound event. */
export interface Emitter {
  /** The executed delivery, or the calling one. */
  delivery: Pick<Caller, 'storyRunGuid' | 'awaited' | 'called' | 'depth'>;
  story: StoryGraph;
  agent: AgentNode;
  /** The inbound event; undefined at the start of a run. */
  parent: { id: number; lineage: Lineage } | undefined;
}

/** A payload to emit, as JSON text. */
export interface OutgoingPayload {
  payload: string;
  branch: OutputBranch;
  /** The request that it came of. */
  request?: string | undefined;
}

export interface EmissionDeps {
  loader: {
    call(storyRunGuid: string): Promise<StoryCall | undefined>;
    events(ids: number[]): Promise<ReadonlyMap<number, { id: number; lineage: Lineage }>>;
  };
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
}

/**
 * Returns the events to store when an agent emits. If it is an exit of a called story, also the same events for the
 * calling agent, and so on upwards (spec §5.5).
 */
export async function emit(
  emitter: Emitter,
  payloads: OutgoingPayload[],
  deps: EmissionDeps,
): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  let current: Emitter | undefined = emitter;
  let outgoing = payloads;
  for (let level = 0; current !== undefined && outgoing.length > 0 && level < MAX_LEVELS; level++) {
    stored.push(...outputsOf(current, outgoing));
    outgoing = outgoing.map(({ payload }) => ({ payload, branch: 'normal' }));
    current = mayHaveCaller(current) ? await callerOf(current, deps) : undefined;
  }
  return stored;
}

/**
 * Returns the event to store when an agent failed for good, for its failure links. It is no result of the run: neither
 * the response of a webhook nor an event of the calling agent, even if the agent is an exit.
 */
export function failureOutput(emitter: Emitter, payload: string, request?: string): StoredOutput {
  const receivers = receiversOf(emitter.story, emitter.agent, 'failure');
  return { payload, receivers, branch: 'failure', origin: originOf(emitter), answers: false, request };
}

function outputsOf(emitter: Emitter, payloads: OutgoingPayload[]): StoredOutput[] {
  const { story, agent, delivery } = emitter;
  const origin = originOf(emitter);
  const answers = delivery.awaited && story.responseExitGuids.has(agent.guid);
  return payloads.map(({ payload, branch, request }) => ({
    payload,
    receivers: receiversOf(story, agent, branch),
    branch,
    origin,
    answers,
    request,
  }));
}

function originOf({ delivery, story, agent, parent }: Emitter): Origin {
  return {
    storyRunGuid: delivery.storyRunGuid,
    storyId: story.id,
    agentId: agent.id,
    lineage: JSON.stringify(extendLineage(agent.slug, parent)),
    awaited: delivery.awaited,
    called: delivery.called,
    depth: delivery.depth + 1,
  };
}

/** Returns true for an exit of a called run. */
function mayHaveCaller({ delivery, story, agent }: Emitter): boolean {
  return delivery.called && story.exitGuids.has(agent.guid);
}

/** Returns the agent that called the run; undefined if it was deleted since, or emits at the end of its loop. */
async function callerOf(
  { delivery }: Emitter,
  { loader, graphs }: EmissionDeps,
): Promise<Emitter | undefined> {
  const call = await loader.call(delivery.storyRunGuid);
  if (call === undefined) return undefined;
  const { caller } = call;
  const [action, events] = await Promise.all([
    findActionInStory(caller, graphs),
    loader.events([caller.eventId]),
  ]);
  if (action === undefined || callsInLoop(action.agent)) return undefined;
  return { delivery: caller, ...action, parent: events.get(caller.eventId) };
}

/**
 * Returns the receivers of an event of `agent` on `branch`. A disabled receiver gets no new deliveries: the branch ends
 * there (spec §3.7).
 */
export function receiversOf(story: StoryGraph, agent: AgentNode, branch: EventBranch): Receiver[] {
  return agent.receivers.flatMap((link) => {
    if (!follows(branch, link.kind)) return [];
    const receiver = story.agents.get(link.agentId);
    if (receiver === undefined || receiver.disabled) return [];
    return [{ agentId: receiver.id, queue: queueOf(receiver.type) }];
  });
}

/** Returns the disabled receivers that an event on `branch` does not reach, for the log. */
export function disabledReceiversOf(story: StoryGraph, agent: AgentNode, branch: OutputBranch): AgentNode[] {
  return agent.receivers.flatMap((link) => {
    if (!follows(branch, link.kind)) return [];
    const receiver = story.agents.get(link.agentId);
    return receiver?.disabled === true ? [receiver] : [];
  });
}

/** `all` means every link of an ordinary event: an error goes down the failure links only, and nothing else does. */
function follows(branch: EventBranch, kind: LinkKind): boolean {
  return branch === 'all' ? kind !== 'failure' : kind === branch;
}

/** Returns the queue of an agent type. A type that does not run here gets one too, so that a worker reports the error. */
function queueOf(type: string): DeliveryQueue {
  return findAgentType(type)?.queue ?? 'event-transformation';
}
