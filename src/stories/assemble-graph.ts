import type { JsonObject, JsonValue } from '../platform/json.js';
import { withRecordSettings } from './record-settings.js';
import type { AgentNode, StoryGraph } from './story-graph.js';
import { slugOf } from '../platform/text/slug.js';

/** What a story's own settings say about calls: where they begin and what answers them. */
type EntriesAndExits = Pick<
  StoryGraph,
  'responseEntryGuids' | 'responseExitGuids' | 'sendToStoryEnabled' | 'entryGuid' | 'exitGuids'
>;

/** `extra`: the keys of its export that have no column, where they matter. */
type AgentParts = Omit<AgentNode, 'slug' | 'receivers'> & { extra?: JsonObject | undefined };

/** A story in the parts that it is kept in. */
export interface GraphParts {
  story: Omit<StoryGraph, 'agents' | keyof EntriesAndExits>;
  /** The keys of its export that have no column. */
  extra: JsonObject;
  /** In the order of the export, as the links are. */
  agents: AgentParts[];
  links: { source: number; receiver: number; linkType: string | null | undefined }[];
}

/** The graph that the engine works on, whether its parts were stored or have just been read from an export. */
export function assembleGraph({ story, extra, agents, links }: GraphParts): StoryGraph {
  return {
    ...story,
    ...entriesAndExits(extra),
    agents: new Map(agents.map((agent) => [agent.id, toNode(agent, links)])),
  };
}

function toNode({ extra, ...agent }: AgentParts, links: GraphParts['links']): AgentNode {
  return {
    ...agent,
    options: withRecordSettings(agent, extra),
    slug: slugOf(agent.name),
    receivers: links
      .filter((link) => link.source === agent.id)
      .map((link) => ({ agentId: link.receiver, secondary: link.linkType === 'secondary' })),
  };
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
    entryGuid: texts(story.entry_agent_guid)[0],
    exitGuids: firstOf(exits),
  };
}

/** The first that names any. */
function firstOf(lists: string[][]): Set<string> {
  return new Set(lists.find((guids) => guids.length > 0));
}

function texts(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string' && item !== '');
}
