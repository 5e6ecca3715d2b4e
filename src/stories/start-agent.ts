import type { AgentNode, StoryGraph } from './story-graph.js';

const WEBHOOK = 'Agents::WebhookAgent';

/**
 * Where a run begins that names no action: the story's entry, else its first webhook, else its first action that
 * nothing is linked to. Undefined in a story that is all circles.
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
