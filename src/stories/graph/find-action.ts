import type { StoryGraphs } from './story-graphs.js';
import type { AgentNode, StoryGraph } from './story-graph.js';

export interface ActionInStory {
  story: StoryGraph;
  agent: AgentNode;
}

/**
 * Returns an action with its story; undefined if it is deleted. The cached story may be older than the delivery that
 * names the action, so the database is read before an action counts as deleted (rule 18).
 * @throws when the database cannot be read.
 */
export async function findActionInStory(
  { storyId, agentId }: { storyId: number; agentId: number },
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>,
): Promise<ActionInStory | undefined> {
  return (
    actionIn(await graphs.find(storyId), agentId) ?? actionIn(await graphs.findCurrent(storyId), agentId)
  );
}

/** Returns the action in this version of the story. */
export function actionIn(story: StoryGraph | undefined, agentId: number): ActionInStory | undefined {
  const agent = story?.agents.get(agentId);
  return story === undefined || agent === undefined ? undefined : { story, agent };
}
