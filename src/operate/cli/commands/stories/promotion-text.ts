import type { JsonValue } from '../../../../platform/json.js';
import { counted } from '../../../../platform/text/counted.js';
import { visibleText } from '../../../../platform/visible-text.js';
import {
  describePlace,
  describeValue,
  differencesText,
  type StoryDifference,
} from '../../../../stories/face.js';

/** The parts of the response of a check that are used. */
export interface PromotionCheck {
  ok: boolean;
  stories: CheckedStory[];
}

interface CheckedStory {
  source_guid: string;
  name: string;
  team: string;
  live_version: number | null;
  state: string;
  story_diff: StoryDifference[];
  count: number;
  kept: StoryDifference[];
  conflicts: (Pick<StoryDifference, 'kind' | 'action' | 'path'> & {
    live: JsonValue;
    incoming: JsonValue;
    take: string | null;
  })[];
  conflict_count: number;
  open_count: number;
  missing: { kind: string; name: string }[];
  refusals: string[];
  new_record_types: string[];
  webhooks: { action: string; url: string | null; is_kept: boolean }[];
}

/** The parts of the response of a promotion that are printed. */
export interface PromotionFacts {
  id: number;
  name: string;
  stories: { story_id: number; name: string; state: string }[];
  warnings?: string[];
}

const MOST_DIFFERENCES = 20;

/** Tells how to go on after conflicts. */
export const CONFLICT_HINT =
  'Decide conflicts with --take incoming or --take live, or leave stories out with --leave-out NAME.';
const MISSING_HINT =
  'Make what is missing in the target, or name with --mapping what is there under another name.';

/** Returns what a check found, for people. `leftOut`: names of stories that are not promoted. */
export function checkText({ ok, stories }: PromotionCheck, leftOut: readonly string[]): string {
  const hints = [
    ...(stories.some(({ open_count: open }) => open > 0) ? [CONFLICT_HINT] : []),
    ...(stories.some(({ missing }) => missing.length > 0) ? [MISSING_HINT] : []),
  ];
  const last = ok
    ? 'Nothing was changed: promote with --apply.'
    : ['This cannot be promoted. Nothing was changed.', ...hints].join(' ');
  return [...stories.flatMap(storyLines), ...leftOut.map(leftOutLine), last].join('\n');
}

/** Returns what a promotion did, for people. */
export function promotedText(
  { id, name, stories, warnings = [] }: PromotionFacts,
  leftOut: readonly string[],
): string {
  return [
    `promotion ${id}: ${visibleText(name)}`,
    ...stories.map((story) => `  ${story.state} "${visibleText(story.name)}" (story ${story.story_id})`),
    ...leftOut.map((each) => `  ${leftOutLine(each)}`),
    ...warnings.map((warning) => `  warning: ${visibleText(warning)}`),
  ].join('\n');
}

const leftOutLine = (name: string): string => `left out "${visibleText(name)}"`;

function storyLines(story: CheckedStory): string[] {
  const { count, story_diff: differences, conflict_count: conflicts } = story;
  const shown = differences.slice(0, MOST_DIFFERENCES);
  const left = count - shown.length;
  const unlisted = conflicts - story.conflicts.length;
  return [
    `${story.state} "${visibleText(story.name)}" in ${visibleText(story.team)}`,
    ...story.missing.map(({ kind, name }) => `  missing: ${kind} "${visibleText(name)}"`),
    ...story.refusals.map((refusal) => `  refused: ${visibleText(refusal)}`),
    ...story.conflicts.map(conflictLine),
    ...(unlisted > 0 ? [`  … and ${counted(unlisted, 'conflict')} more`] : []),
    ...differencesText(shown),
    ...(left > 0 ? [`  … and ${counted(left, 'difference')} more`] : []),
    ...story.kept.slice(0, MOST_DIFFERENCES).map((each) => `  stays: ${visibleText(describePlace(each))}`),
    ...story.new_record_types.map((name) => `  creates: record type "${visibleText(name)}"`),
    ...story.webhooks.map(({ action, url, is_kept: isKept }) => {
      return `  webhook "${visibleText(action)}": ${url ?? 'a new path'}${isKept ? '' : ' (new)'}`;
    }),
  ];
}

function conflictLine({ live, incoming, take, ...place }: CheckedStory['conflicts'][number]): string {
  const word = take === null ? 'conflict' : `${take} counts`;
  const values = `here ${describeValue(live)}, it comes with ${describeValue(incoming)}`;
  return visibleText(`  ${word}: ${describePlace(place)}: ${values}`);
}
