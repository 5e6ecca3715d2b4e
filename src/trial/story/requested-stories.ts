import { PermanentJobError } from '../../platform/errors.js';
import type { TrialCalledStory } from './story-trial.js';
import type { StoryGraph } from '../../stories/face.js';
import { triedGraph, type TriedStories } from './tried-stories.js';

/**
 * Returns the function that finds a story which a trial calls: one whose name a template computed, or of another team. It is
 * added to the stories. @throws PermanentJobError if there is none that the trial may call.
 */
export function createRequestedStories(
  stories: TriedStories,
  ask: (storyId: number) => Promise<TrialCalledStory | undefined>,
): (storyId: number) => Promise<StoryGraph> {
  const missing = new Set<number>();
  return async (storyId) => {
    const known = stories.graphs.get(storyId);
    if (known !== undefined) return known;
    const found = missing.has(storyId) ? undefined : await ask(storyId);
    if (found === undefined) {
      missing.add(storyId);
      throw new PermanentJobError(`Story ${storyId} does not exist, or this trial cannot call it`);
    }
    const graph = triedGraph(found.graph);
    stories.graphs.set(graph.id, graph);
    stories.teams.push(...found.teams);
    stories.recordTypes.push(...found.recordTypes);
    for (const { id, guid, name } of graph.agents.values()) stories.actions.push({ id, guid, name });
    return graph;
  };
}
