import type { StoryGraphs } from './story-graphs.js';
import type { AgentNode, StoryGraph } from './story-graph.js';

export interface Action {
  story: StoryGraph;
  agent: AgentNode;
}

/**
 * An action with its story; undefined when it has been deleted. What is known of a story may be older than what made work
 * for its new actions: the database is asked before one counts as deleted (rule 18).
 * @throws when that cannot be done.
 */
export async function findAction(
  { storyId, agentId }: { storyId: number; agentId: number },
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>,
): Promise<Action | undefined> {
  return (
    actionIn(await graphs.find(storyId), agentId) ?? actionIn(await graphs.findCurrent(storyId), agentId)
  );
}

/** The action as this story has it. */
export function actionIn(story: StoryGraph | undefined, agentId: number): Action | undefined {
  const agent = story?.agents.get(agentId);
  return story === undefined || agent === undefined ? undefined : { story, agent };
}
