import type { Called, AgentLogLevel } from '../../agents/face.js';
import { PermanentJobError } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { StoryCall } from '../state/deliveries/call-store.js';
import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import type { AgentNode, StoryGraph, StoryGraphs } from '../../stories/face.js';
import type { TeamValues } from '../../language/face.js';
import type { ParkedOutcome } from '../state/outcome.js';
import { storedEventText } from '../state/events/event-text.js';

const WEBHOOK = 'Agents::WebhookAgent';
/** Stories up to this schema version read the payload's keys directly (spec §5.5). */
const LAST_FLAT_SCHEMA = 2;

type StoryCallRequest = Called['call'];

/** The delivery of the calling agent. */
interface Calling {
  delivery: DeliveryRow;
  story: StoryGraph;
  agent: AgentNode;
}

export interface StoryCallDeps {
  loader: {
    call(storyRunGuid: string): Promise<Pick<StoryCall, 'path'> | undefined>;
    /** Returns the drafts of a story, oldest first. */
    drafts(storyId: number): Promise<{ id: number; name: string }[]>;
  };
  values: TeamValues;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
  newGuid(): string;
  limits: { maxCallDepth: number };
}

/**
 * Returns the outcome of an agent that calls another story: its delivery is parked and the called run starts, both or
 * neither.
 * @throws PermanentJobError if the story does not exist, cannot be called, or is called in a circle; names the story.
 */
export async function callStory(
  work: Calling,
  request: StoryCallRequest,
  { log, ...deps }: StoryCallDeps & { log: (level: AgentLogLevel, message: string) => void },
): Promise<Omit<ParkedOutcome, 'logs'>> {
  const live = await findTarget(work, request.story, deps);
  const target = request.draft === undefined ? live : await draftOf(live, request.draft, deps);
  const entry = entryOf(target);
  const above = work.delivery.called
    ? ((await deps.loader.call(work.delivery.storyRunGuid))?.path ?? [])
    : [];
  const path = [...above, work.story.id];
  await refuseCircle(path, target, deps);
  const guid = deps.newGuid();
  const input = storedEventText(inputOf(work, request, target), log);
  return {
    kind: 'parked',
    delivery: work.delivery,
    call: {
      start: { guid, storyId: target.id, agentId: entry.id, source: 'send_to_story', input, called: true },
      call: { storyRunGuid: guid, caller: work.delivery, path },
    },
  };
}

/**
 * Finds the story by id, or by the name or slug that a template gave; in other teams of the tenant by its id alone, if it
 * lets them call it. Loads its current state, not the cached one, as a refusal is not retried.
 */
async function findTarget({ story }: Calling, wanted: string, deps: StoryCallDeps): Promise<StoryGraph> {
  const id = /^\d+$/.test(wanted) ? Number(wanted) : await storyNamed(wanted, story.teamId, deps);
  const target = Number.isSafeInteger(id) ? await deps.graphs.findCurrent(id) : undefined;
  if (target === undefined || !(await mayCall(story, target, deps))) {
    throw new PermanentJobError(`This team has no story "${wanted.slice(0, 200)}"`);
  }
  return target;
}

/** Returns the id of the team's story; NaN: there is none. One that is unknown here may be new. */
async function storyNamed(name: string, teamId: number, deps: StoryCallDeps): Promise<number> {
  const since = performance.now();
  const needs = { resources: false, credentials: false, stories: true };
  const { stories } = await deps.values.load(teamId, needs);
  const id = stories.get(name) ?? (await deps.values.load(teamId, needs, since)).stories.get(name);
  return Number(id);
}

/** Returns the draft of a story that is called instead. @throws PermanentJobError if there is none. */
async function draftOf(
  { id, name }: StoryGraph,
  wanted: NonNullable<StoryCallRequest['draft']>,
  { loader, graphs }: StoryCallDeps,
): Promise<StoryGraph> {
  const drafts = await loader.drafts(id);
  const found =
    wanted === 'newest'
      ? drafts.at(-1)
      : drafts.find((draft) => String(draft.id) === wanted.named || draft.name === wanted.named);
  const graph = found && (await graphs.findCurrent(found.id));
  if (graph !== undefined) return graph;
  const which = wanted === 'newest' ? 'draft' : `draft "${wanted.named.slice(0, 200)}"`;
  throw new PermanentJobError(`The story "${name}" has no ${which}`);
}

/** Returns true if the target is of the same team, or open to the team of the calling story (spec §5.5). */
async function mayCall(caller: StoryGraph, target: StoryGraph, deps: StoryCallDeps): Promise<boolean> {
  if (target.teamId === caller.teamId) return true;
  if (target.tenantId !== caller.tenantId) return false;
  if (target.access === 'GLOBAL') return true;
  if (target.access !== 'SPECIFIC_TEAMS') return false;
  const team = await deps.values.slugOf(caller.teamId);
  return team !== undefined && target.sharedTeamSlugs.has(team);
}

function entryOf(target: StoryGraph): AgentNode {
  if (target.sendToStoryEnabled === false) {
    throw new PermanentJobError(`The story "${target.name}" cannot be called by other stories`);
  }
  const agents = [...target.agents.values()];
  const entry =
    target.entryGuid === undefined
      ? agents.find(({ type }) => type === WEBHOOK)
      : agents.find(({ guid }) => guid === target.entryGuid);
  if (entry === undefined) {
    throw new PermanentJobError(`The story "${target.name}" has no entry action that a call can start at`);
  }
  return entry;
}

/**
 * `path`: the stories that wait for this call, outermost first, the calling one last. A story that was not called may call
 * itself: real stories contain an agent beside their flow for trying them out.
 */
async function refuseCircle(path: number[], target: StoryGraph, deps: StoryCallDeps): Promise<void> {
  if (path.length > deps.limits.maxCallDepth) {
    throw new PermanentJobError(`Story calls are nested more than ${deps.limits.maxCallDepth} deep`);
  }
  if (!path.slice(0, -1).includes(target.id)) return;
  const circle = await Promise.all(
    path.slice(path.indexOf(target.id)).map(async (id) => (await deps.graphs.find(id))?.name ?? String(id)),
  );
  throw new PermanentJobError(`Stories call each other in a circle: ${[...circle, target.name].join(' → ')}`);
}

/** Returns the input of the called run: the entry agent emits it or sees it as its inbound event (spec §5.5). */
function inputOf({ agent, delivery }: Calling, request: StoryCallRequest, target: StoryGraph): JsonObject {
  const asBody = request.asBody ?? target.schemaVersion > LAST_FLAT_SCHEMA;
  const content = asBody ? { body: request.payload } : request.payload;
  return {
    ...content,
    '#action_id': agent.id,
    '#agent_id': agent.id,
    '#event_id': delivery.eventId,
  };
}
