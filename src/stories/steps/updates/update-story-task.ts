import { createLanguages } from '../../../language/face.js';
import type { JsonObject } from '../../../platform/json.js';
import { jsonLines } from '../../../platform/json/json-lines.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { slugOf } from '../../../platform/text/slug.js';
import { listedDifferences } from '../../diff/listed-differences.js';
import { diffStories, type StoryDifference } from '../../diff/story-diff.js';
import { exportAlone } from '../../export/export.js';
import type { StoredStory } from '../../export/story-export-store.js';
import type { StoryGraph } from '../../graph/story-graph.js';
import type { MergeConflict } from '../../merge/conflict-book.js';
import { boundsFault } from '../../merge/merge-bounds.js';
import { mergeStory } from '../../merge/merge-story.js';
import { textOrEmpty } from '../../merge/merge-parts.js';
import type { Side } from '../../merge/three-way.js';
import { storyOfSnapshot } from '../../versions/version-snapshot.js';
import { readStepContent, type StepContent } from '../step-content.js';
import { MARK, stepMarkOf, withMark } from '../step-mark.js';
import { usesIn } from '../uses/step-uses.js';
import { type PlacedState, placingOf, withState } from './place-step.js';

/** A story, and the version of a step that its uses are to have. Texts, so that a thread can take them. */
export interface StepUpdateWork {
  /** The text of a snapshot. */
  story: string;
  language: StoryGraph['language'];
  stepGuid: string;
  /** The contents of the versions that are known, as texts. */
  contents: readonly (readonly [number, string])[];
  /** The version that the story gets. */
  version: number;
  /** The sides that were chosen, by the entries of conflicts; `draft` is the step. */
  choices: readonly (readonly [string, Side])[];
}

/** The result of an update, as JSON texts. */
export interface StepUpdateTexts {
  /** A `StoredStory`, in lines. */
  story: string;
  /** `StepUpdateLists`. */
  lists: string;
}

/** The lists of an update. */
export interface StepUpdateLists {
  /** Changes in the story, beside its marks. At most 2,000. */
  differences: StoryDifference[];
  /** Changes of the story in the actions since they came from the step. At most 2,000. */
  local: StoryDifference[];
  conflicts: MergeConflict[];
  conflictCount: number;
  /** Why the result cannot be a story; null: it can. */
  fault: string | null;
  /** Whether the story has this version already. */
  current: boolean;
}

const LANGUAGES = createLanguages();
const MOST_CONFLICTS = 500;

/**
 * Merges what a step and a story have changed since the story took the step. Pure; for a thread if the texts are large.
 * @throws Unprocessable for a name that templates cannot use.
 */
export function updateFromStep(work: StepUpdateWork): StepUpdateTexts {
  const stored = storyOfSnapshot(work.story);
  const { base, live, draft, isCurrent } = statesOf(stored, work);
  const { story, conflicts } = mergeStory({ base, live, draft }, new Map(work.choices));
  const lists = [
    `"differences":${listedDifferences(contentChanges(live, story))}`,
    `"local":${base === undefined ? '[]' : listedDifferences(contentChanges(base, live))}`,
    `"conflicts":${stringifyJson(conflicts.slice(0, MOST_CONFLICTS).map(asOfStep))}`,
    `"conflictCount":${conflicts.length}`,
    `"fault":${JSON.stringify(boundsFault(story)?.replace('draft and the live story', 'step and the story') ?? null)}`,
    `"current":${isCurrent}`,
  ];
  return { story: jsonLines(story as unknown as JsonObject), lists: `{${lists.join(',')}}` };
}

/** Returns whether a story has changed the actions that it took from a step; undefined: nobody knows what it took. */
export function hasLocalChanges(
  story: StoredStory,
  work: Pick<StepUpdateWork, 'language' | 'stepGuid' | 'contents' | 'version'>,
): boolean | undefined {
  const { base, live } = statesOf(story, work);
  return base && contentChanges(base, live).length > 0;
}

/**
 * The sides of the merge. All of them have the new version in their marks: an action that the step left alone is no
 * change of the step then, and one that the story keeps against the step is up to date.
 */
interface States {
  base: StoredStory | undefined;
  live: StoredStory;
  draft: StoredStory;
  isCurrent: boolean;
}

function statesOf(
  story: StoredStory,
  { language, stepGuid, contents, version }: Omit<StepUpdateWork, 'story' | 'choices'>,
): States {
  const known = new Map(contents.map(([number, text]) => [number, readStepContent(text)]));
  const next = known.get(version);
  if (next === undefined) throw new Error(`Version ${version} of a step is missing`);
  const live = withVersion(story, { stepGuid, version });
  const taken = new Set(live.agents.map(({ columns }) => slugOf(textOrEmpty(columns.name))));
  const uses = usesIn(story, stepGuid);
  let base: StoredStory | undefined = live;
  let draft = live;
  for (const use of uses) {
    const before = known.get(use.version);
    const states: StepContent[] = before === undefined ? [next] : [before, next];
    const placing = placingOf(live, { stepGuid, use }, { states, taken });
    const keys = new Set(states.flatMap(({ agents }) => agents.map(({ guid }) => guid)));
    const shared = { stepGuid, use, placing, language: LANGUAGES[language], known: keys };
    const state = (content: StepContent): PlacedState => ({ ...shared, content, version });
    base = base && before && withState(base, state(before));
    draft = withState(draft, state(next));
  }
  return { base, live, draft, isCurrent: uses.every((use) => use.version === version) };
}

function withVersion(
  story: StoredStory,
  { stepGuid, version }: { stepGuid: string; version: number },
): StoredStory {
  const agents = story.agents.map((agent) => {
    const mark = stepMarkOf(agent.extra);
    if (mark?.guid !== stepGuid) return agent;
    // Anew also where the version is the same: a mark is compared with the order of its keys.
    return { ...agent, extra: withMark(agent.extra, { ...mark, version }) };
  });
  return { ...story, agents };
}

function contentChanges(before: StoredStory, after: StoredStory): StoryDifference[] {
  return diffStories(exportAlone(before), exportAlone(after)).filter(
    ({ path }) => path === null || !(path === MARK || path.startsWith(`${MARK}.`)),
  );
}

/** The merge calls its sides by what they are for drafts. */
function asOfStep({ because, ...conflict }: MergeConflict): MergeConflict {
  if (because === undefined) return conflict;
  const words = because
    .replace(/^the draft has/, 'the step has')
    .replace(/, which the draft has removed$/, ', which the step has removed')
    .replace(/^the live story has/, 'the story has')
    .replace(/, which the live story has removed$/, ', which the story has removed');
  return { ...conflict, because: words };
}
