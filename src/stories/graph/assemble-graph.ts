import type { JsonObject, JsonValue } from '../../platform/json.js';
import { type ActionInputs, actionInputsIn, inputOptions } from '../agents/mentions/action-inputs.js';
import { withRecordSettings } from '../settings/record-settings.js';
import { atOnce, mapSteps, type Steps } from '../../platform/steps.js';
import type { AgentNode, LinkKind, StoryGraph } from './story-graph.js';
import { readStorySettings } from '../settings/story-settings.js';
import { slugOf } from '../../platform/text/slug.js';

/** A story's settings of its entry and exit agents. */
type EntriesAndExits = Pick<
  StoryGraph,
  | 'responseEntryGuids'
  | 'responseExitGuids'
  | 'sendToStoryEnabled'
  | 'access'
  | 'sharedTeamSlugs'
  | 'entryGuid'
  | 'exitGuids'
>;

/** `extra`: the export's keys without a column, if the agent needs them. */
type AgentParts = Omit<AgentNode, 'slug' | 'receivers' | 'inputs'> & { extra?: JsonObject | undefined };

/** The parts of a story, stored separately. */
export interface GraphParts {
  story: Omit<StoryGraph, 'agents' | keyof EntriesAndExits>;
  /** The export's keys without a column. */
  extra: JsonObject;
  /** In the order of the export; so are the links. */
  agents: AgentParts[];
  links: { source: number; receiver: number; linkType: string | null | undefined }[];
}

/** Builds the graph that the engine executes, at once: from an export, in a thread. */
export function assembleGraph(parts: GraphParts): StoryGraph {
  return atOnce(graphSteps(parts));
}

/** Builds the graph that the engine executes, from stored parts or from an export. */
export function* graphSteps({ story, extra, agents, links }: GraphParts): Steps<StoryGraph> {
  const inputs = actionInputsIn(extra);
  const receivers = yield* receiversIn(links);
  const nodes = yield* mapSteps(agents, (agent) => toNode(agent, { receivers, inputs }));
  return {
    ...story,
    ...entriesAndExits(extra),
    agents: new Map(nodes.map((node) => [node.id, node])),
  };
}

type Receivers = AgentNode['receivers'];

/** The parts of a story that an agent has a part in. */
interface OfAgents {
  receivers: ReadonlyMap<number, Receivers>;
  inputs: ActionInputs;
}

/** Returns the receivers of each agent that has some, in the order of the links. */
function* receiversIn(links: GraphParts['links']): Steps<Map<number, Receivers>> {
  const found = new Map<number, Receivers>();
  for (const { source, receiver, linkType } of links) {
    const own = found.get(source) ?? [];
    own.push({ agentId: receiver, kind: kindOf(linkType) });
    found.set(source, own);
    yield;
  }
  return found;
}

function toNode({ extra, ...agent }: AgentParts, { receivers, inputs }: OfAgents): AgentNode {
  const ofTemplate = inputOptions(inputs.get(agent.guid));
  return {
    ...agent,
    options: withRecordSettings(agent, extra),
    ...(ofTemplate !== undefined && { inputs: ofTemplate }),
    slug: slugOf(agent.name),
    receivers: receivers.get(agent.id) ?? [],
  };
}

/** Returns the kind of a link; a link of any other type is an ordinary one. */
function kindOf(linkType: string | null | undefined): LinkKind {
  return linkType === 'secondary' || linkType === 'failure' ? linkType : 'normal';
}

/** See spec §4.7 and §5.5. */
function entriesAndExits(story: JsonObject): EntriesAndExits {
  const entries = texts(story.api_entry_action_guids);
  const exits = [story.exit_agent_guids, story.exit_agent_guid].map(texts);
  return {
    responseEntryGuids: entries.length > 0 ? new Set(entries) : undefined,
    responseExitGuids: firstOf([texts(story.api_exit_action_guids), ...exits]),
    sendToStoryEnabled:
      typeof story.send_to_story_enabled === 'boolean' ? story.send_to_story_enabled : undefined,
    ...accessTo(story),
    entryGuid: texts(story.entry_agent_guid)[0],
    exitGuids: firstOf(exits),
  };
}

function accessTo(story: JsonObject): Pick<StoryGraph, 'access' | 'sharedTeamSlugs'> {
  const { access, sharedTeamSlugs } = readStorySettings(story);
  return { access, sharedTeamSlugs: new Set(sharedTeamSlugs) };
}

/** Returns the first list that is not empty. */
function firstOf(lists: string[][]): Set<string> {
  return new Set(lists.find((guids) => guids.length > 0));
}

function texts(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string' && item !== '');
}
