import type { AgentNode, StoryGraph } from './story-graph.js';

const WEBHOOK = 'Agents::WebhookAgent';

/**
 * Returns the first agent of a run that names none: the story's entry, else its first webhook, else its first agent
 * without incoming links. Undefined if every agent is part of a cycle.
 */
export function startAgentOf({ agents, entryGuid }: StoryGraph): AgentNode | undefined {
  const all = [...agents.values()];
  const received = new Set(all.flatMap(({ receivers }) => receivers.map(({ agentId }) => agentId)));
  return (
    all.find(({ guid }) => guid === entryGuid) ??
    all.find(({ type }) => type === WEBHOOK) ??
    all.find(({ id }) => !received.has(id))
  );
}
