import { findAgentType, lineageOfInput, webhookAgent } from '../../agents/face.js';
import type { TrialStart, RequestedAction } from './story-trial.js';
import { type AgentNode, startAgentOf, type StoryGraph } from '../../stories/face.js';
import { slugOf } from '../../platform/text/slug.js';
import { type Receiver, receiversOf } from '../../engine/face.js';
import { NoTrial } from './no-trial.js';
import type { TrialState } from '../memory/trial-state.js';

/** Begins the run of a trial. `eventId`: of the event or input that it begins with; `isShown`: an action emitted it. */
export type BeginTrial = (state: TrialState) => { eventId: number; isShown: boolean };

export interface TrialStartDeps {
  story: StoryGraph;
  guid: string;
  /** The action of the tried story in place of one of the past run. */
  agentInPlaceOf: (pastAgentId: number) => AgentNode | undefined;
}

/** Returns the function that begins the run. @throws NoTrial if the story has no such action, or it is disabled. */
export function trialBeginning(start: TrialStart, deps: TrialStartDeps): BeginTrial {
  return start.kind === 'input' ? withInput(start, deps) : withEvent(start, deps);
}

function withInput(start: TrialStart & { kind: 'input' }, deps: TrialStartDeps): BeginTrial {
  const { story, guid } = deps;
  const agent = start.action === undefined ? entryOf(start, deps) : actionNamed(story, start.action);
  requireEnabled(agent);
  return (state) => {
    const { json: input } = start;
    const eventId = state.insertStart({ guid, storyId: story.id, agentId: agent.id, source: 'api', input });
    return { eventId, isShown: false };
  };
}

/** The action in place of the one that the past run began at. */
function entryOf(
  { entry }: TrialStart & { kind: 'input' },
  { story, agentInPlaceOf }: TrialStartDeps,
): AgentNode {
  const found = entry === undefined ? startAgentOf(story) : agentInPlaceOf(entry.id);
  if (found !== undefined) return found;
  throw noTrial(
    entry === undefined ? 'The story has no action that a run can start at; specify one' : lacks(entry.name),
  );
}

function withEvent(start: TrialStart & { kind: 'event' }, deps: TrialStartDeps): BeginTrial {
  const { story, guid } = deps;
  const { emitter: past, action, before } = start;
  const emitter = past === undefined ? undefined : deps.agentInPlaceOf(past.id);
  if (emitter === undefined && action === undefined) throw noTrial(lacks(past?.name));
  if (emitter?.disabled === true && action === undefined) requireEnabled(emitter);
  const receivers = action === undefined ? emittedTo(story, emitter) : [receiverNamed(story, action)];
  return (state) => {
    const run = { storyRunGuid: guid, storyId: story.id };
    const lineage: Record<string, number> = {};
    for (const [slug, payload] of before) {
      lineage[slug] = state.insertEvent({ ...run, agentId: 0, payload, lineage: lineageOfInput('{}') });
    }
    lineage[emitter?.slug ?? slugOf(past?.name ?? 'event')] = 0;
    const agentId = emitter?.id ?? 0;
    const eventId = state.insertEvent({
      ...run,
      agentId,
      payload: start.json,
      lineage: JSON.stringify(lineage),
    });
    const shared = { ...run, eventId, awaited: false, called: false, depth: 1 };
    state.deliveries.insert(receivers.map((receiver) => ({ ...shared, ...receiver })));
    return { eventId, isShown: emitter !== undefined };
  };
}

const lacks = (name = '') =>
  `The story no longer has the action of the event${name === '' ? '' : `, "${name}"`}: specify the action to start at`;

function emittedTo(story: StoryGraph, emitter: AgentNode | undefined): Receiver[] {
  return emitter === undefined ? [] : receiversOf(story, emitter, 'all');
}

function receiverNamed(story: StoryGraph, wanted: RequestedAction): Receiver {
  const agent = actionNamed(story, wanted);
  if (agent.type === webhookAgent.type) throw noTrial('A webhook cannot receive events: set "event"');
  requireEnabled(agent);
  return { agentId: agent.id, queue: findAgentType(agent.type)?.queue ?? 'event-transformation' };
}

/** Returns the action with this id, guid, name or slug. */
export function findNamedAction({ agents }: StoryGraph, wanted: RequestedAction): AgentNode | undefined {
  const all = [...agents.values()];
  return (
    all.find(({ id }) => id === Number(wanted)) ??
    all.find(({ guid }) => guid === wanted) ??
    all.find(({ name }) => name === wanted) ??
    all.find(({ slug }) => typeof wanted === 'string' && slug === slugOf(wanted))
  );
}

function actionNamed(story: StoryGraph, wanted: RequestedAction): AgentNode {
  const found = findNamedAction(story, wanted);
  if (found === undefined) throw noTrial(`The story has no action "${wanted}"`);
  return found;
}

function requireEnabled({ name, disabled }: AgentNode): void {
  if (disabled) throw noTrial(`The action "${name}" is disabled, so runs cannot start at it`);
}

function noTrial(message: string): NoTrial {
  return new NoTrial([{ message, details: 'action' }]);
}
