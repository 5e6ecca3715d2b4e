import type { JsonValue } from '../../../platform/json.js';
import { atOnce, type Steps } from '../../../platform/steps.js';
import type { StoryExport } from '../../export/export-form.js';
import { subStories } from '../check-export.js';
import type { ImportRequest } from '../import-request.js';
import { keptPaths } from './match-agents.js';
import { type PlanContext, planSteps } from './plan-story.js';
import type { ReplacedStory, StoryPlan } from './story-plan.js';

/** Everything that an import writes, in the order of writing: sub-stories first, the story itself last. */
export interface ImportPlan {
  story: StoryPlan;
  subStories: StoryPlan[];
  /** The exports that are written; the story itself is first. */
  written: StoryExport[];
}

/** The state of the team that planning needs; planning adds to `names`. */
export interface TeamContext extends PlanContext {
  /** Names of the team's stories. */
  names: Set<string>;
}

/** Plans a whole import, at once: for threads and tools. Changes nothing but `context`. */
export function planImport(
  request: ImportRequest,
  replaced: ReplacedStory | undefined,
  context: TeamContext,
): ImportPlan {
  return atOnce(importSteps(request, replaced, context));
}

/** The steps of `planImport`. */
export function* importSteps(
  request: ImportRequest,
  replaced: ReplacedStory | undefined,
  context: TeamContext,
): Steps<ImportPlan> {
  const plans: StoryPlan[] = [];
  const written: StoryExport[] = [request.data];
  // Before any story is planned: an embedded story must not take a path that the story itself keeps.
  for (const path of keptPaths(request.data.agents, replaced?.agents ?? [])) context.taken.add(path);

  function* planEmbedded(story: StoryExport): Steps<JsonValue> {
    const { name } = story;
    if (context.names.has(name)) return story;
    const embedded = yield* planAll(subStories(story));
    const plan = yield* planSteps(story, { name, replaced: undefined, subStories: embedded }, context);
    context.names.add(name);
    plans.push(plan);
    written.push(story);
    // Stored in place of the embedded export. If the team already had a story of that name, the embedded export itself is
    // stored, so that an export returns what was imported.
    return { imported_as: plan.guid };
  }

  function* planAll(stories: StoryExport[]): Steps<JsonValue[]> {
    const planned: JsonValue[] = [];
    for (const story of stories) planned.push(yield* planEmbedded(story));
    return planned;
  }

  const embedded = yield* planAll(subStories(request.data));
  const target = { name: request.newName, replaced, subStories: embedded };
  return { story: yield* planSteps(request.data, target, context), subStories: plans, written };
}
