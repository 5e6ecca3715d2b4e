import { webhookAgent } from '../../agents/face.js';
import { type Actor, requireTeam } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { findRunPlace, type RunStory, visibleRunAgent } from '../../observe/face.js';
import type { StoryGraph } from '../../stories/face.js';
import { pairActions } from '../comparison/same-actions.js';
import { findKnownActions } from '../start/past-run-store.js';
import type { KnownAction } from '../story/story-trial.js';
import { findNewestOfActions, findSampleEvent, findUndoneEventId } from './sample-store.js';
import { type Sample, type SampleEvent, type SampleKind, storedSample } from './sample.js';

/** An action, by its id or guid, in a past run. */
export interface ActionInRun {
  runGuid: string;
  action: number | string;
}

/** Where they were found. */
export interface RunSamplePlace {
  runGuid: string;
  run: RunStory;
  /** The story of the action: that of the run, a draft of it, or another. */
  storyId: number;
  action: KnownAction;
  /** The actions of its story, and those of the story of the run. */
  actions: { own: KnownAction[]; past: KnownAction[] };
}

/**
 * Returns the run and the action. `storyId`: the story of the action, if the request names it.
 * @throws NotFound and Forbidden: both must be of teams in which the actor may write.
 */
export async function findRunSamplePlace(
  session: Session,
  actor: Actor,
  { runGuid, action: wanted, storyId: named }: ActionInRun & { storyId: number | undefined },
): Promise<RunSamplePlace> {
  const run = await findRunPlace(session, { guid: runGuid, tenantId: actor.tenantId });
  if (run === undefined) throw new NotFound('Story run');
  requireTeam(actor, run.teamId, 'write', 'Story run');
  const storyId = named ?? (await storyOfAction(session, actor, wanted)) ?? run.storyId;
  const own = await findKnownActions(session, [storyId]);
  const action = own.find(({ id, guid, exportGuid }) => [id, guid, exportGuid].includes(wanted));
  if (action === undefined) throw new NotFound('Action');
  const past = storyId === run.storyId ? own : await findKnownActions(session, [run.storyId]);
  return { runGuid, run, storyId, action, actions: { own, past } };
}

async function storyOfAction(session: Session, actor: Actor, action: number | string) {
  return typeof action === 'number'
    ? (await visibleRunAgent(session, actor, action, 'write')).storyId
    : undefined;
}

/**
 * Returns what the action received in the run: the newest, if it was several events. If it received none: the newest event of
 * the nearest actions before it, else the input of the run. Undefined if the run has none of them (any longer).
 */
export async function loadRunSample(
  session: Session,
  place: RunSamplePlace,
  story: Pick<StoryGraph, 'agents'> | undefined,
): Promise<Sample | undefined> {
  const { runGuid, action } = place;
  const newest = await findNewestOfActions(session, runGuid);
  const pairs = pairActions(place.actions.own, place.actions.past);
  const newestOf = (id: number) => newest.get(pairs.get(id) ?? -1);
  const received = await receivedId(session, {
    runGuid,
    agentId: pairs.get(action.id),
    emittedId: newestOf(action.id),
  });
  const isWebhook = story?.agents.get(action.id)?.type === webhookAgent.type;
  const choices: [SampleKind, number | undefined][] = [
    ['received', received],
    ['own', isWebhook ? newestOf(action.id) : undefined],
    ['upstream', nearestBefore(action.id, newestOf, story) ?? newest.get(INPUT_OF_RUN)],
  ];
  for (const [kind, id] of choices) {
    const event = id === undefined ? undefined : await findSampleEvent(session, id);
    if (event?.storyRunGuid === runGuid) return storedSample(session, kind, event);
  }
  return undefined;
}

/** The action under which a run's input is stored. */
const INPUT_OF_RUN = 0;

/** An event that waits or has failed is the action's; of one that it has handled, its own event tells the id. */
async function receivedId(
  session: Session,
  {
    runGuid,
    agentId,
    emittedId,
  }: { runGuid: string; agentId: number | undefined; emittedId: number | undefined },
): Promise<number | undefined> {
  const undone = agentId === undefined ? undefined : await findUndoneEventId(session, { runGuid, agentId });
  const emitted = emittedId === undefined ? undefined : await findSampleEvent(session, emittedId);
  const newest = Math.max(undone ?? 0, emitted === undefined ? 0 : parentId(emitted));
  return newest === 0 ? undefined : newest;
}

/** Of the events that led to an event, the one that its action received is the newest; 0: none did. */
function parentId({ lineage }: SampleEvent): number {
  return Object.values(lineage).reduce((most, id) => Math.max(most, id), 0);
}

/** Goes against the links, level by level, to the first with an event in the run. */
function nearestBefore(
  id: number,
  newestOf: (id: number) => number | undefined,
  story: Pick<StoryGraph, 'agents'> | undefined,
): number | undefined {
  const sources = sourcesIn(story);
  const seen = new Set([id]);
  let level = [id];
  while (level.length > 0) {
    const before = new Set(level.flatMap((receiver) => sources.get(receiver) ?? []));
    level = [...before].filter((source) => !seen.has(source));
    for (const source of level) seen.add(source);
    const found = level.flatMap((source) => newestOf(source) ?? []);
    if (found.length > 0) return found.reduce((most, event) => Math.max(most, event));
  }
  return undefined;
}

function sourcesIn(story: Pick<StoryGraph, 'agents'> | undefined): Map<number, number[]> {
  const sources = new Map<number, number[]>();
  for (const { id, receivers } of story?.agents.values() ?? []) {
    for (const { agentId } of receivers) {
      const known = sources.get(agentId) ?? [];
      known.push(id);
      sources.set(agentId, known);
    }
  }
  return sources;
}
