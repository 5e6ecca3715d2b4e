import type { JsonValue } from '../../platform/json.js';
import type { StoryExport } from '../export-form.js';
import { subStories } from './check-export.js';
import type { ImportRequest } from './import-request.js';
import { keptPaths } from './match-agents.js';
import { type PlanContext, planStory } from './plan-story.js';
import type { ReplacedStory, StoryPlan } from './story-plan.js';

/** All that an import writes, in the order of writing: sub-stories come first, the story itself last. */
export interface ImportPlan {
  story: StoryPlan;
  subStories: StoryPlan[];
  /** The exports that are written, the story itself first. */
  exports: StoryExport[];
}

/** What planning needs to know of the team; `names` grows while it goes on. */
export interface TeamContext extends PlanContext {
  /** Names of the team's stories. */
  names: Set<string>;
}

/**
 * What stands in a stored story for one embedded in its export: a reference, when the story was imported along
 * with it. Where the team had a story of that name, the embedded export itself is kept, so that an export
 * gives back what was imported.
 */
export interface SubStoryReference {
  imported_as: string;
}

/** Plans a whole import. Pure but for `context`. */
export function planImport(
  request: ImportRequest,
  replaced: ReplacedStory | undefined,
  context: TeamContext,
): ImportPlan {
  const plans: StoryPlan[] = [];
  const exports: StoryExport[] = [request.data];
  // Before any story is planned: an embedded one must not ask for what the story itself keeps.
  for (const path of keptPaths(request.data.agents, replaced?.agents ?? [])) context.taken.add(path);

  const planEmbedded = (story: StoryExport): JsonValue => {
    const { name } = story;
    if (context.names.has(name)) return story;
    const embedded = subStories(story).map(planEmbedded);
    const plan = planStory(story, { name, replaced: undefined, subStories: embedded }, context);
    context.names.add(name);
    plans.push(plan);
    exports.push(story);
    return { imported_as: plan.guid };
  };

  const embedded = subStories(request.data).map(planEmbedded);
  const target = { name: request.newName, replaced, subStories: embedded };
  return { story: planStory(request.data, target, context), subStories: plans, exports };
}
