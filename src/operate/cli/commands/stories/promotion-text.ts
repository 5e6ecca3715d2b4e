import type { JsonValue } from '../../../../platform/json.js';
import { stringifyJson } from '../../../../platform/json/exact-number.js';

/** The parts of the response of a check that are printed. */
export interface PromotionCheck {
  ok: boolean;
  stories: CheckedStory[];
}

interface CheckedStory {
  name: string;
  team: string;
  state: string;
  story_diff: Difference[];
  count: number;
  kept: Difference[];
  conflicts: (Place & { live: JsonValue; incoming: JsonValue })[];
  conflict_count: number;
  missing: { kind: string; name: string }[];
  refusals: string[];
  new_record_types: string[];
  webhooks: { action: string; url: string | null; is_kept: boolean }[];
}

interface Place {
  kind: string;
  action: string | null;
  path: string | null;
}

interface Difference extends Place {
  change: string;
  before: JsonValue;
  after: JsonValue;
}

/** The parts of the response of a promotion that are printed. */
export interface PromotionFacts {
  id: number;
  name: string;
  stories: { story_id: number; name: string; state: string }[];
  warnings?: string[];
}

const MOST_DIFFERENCES = 20;
const MAX_VALUE = 60;

/** Returns what a check found, for people. */
export function checkText({ ok, stories }: PromotionCheck): string {
  const last = ok
    ? 'Nothing was changed: promote with --apply.'
    : 'This cannot be promoted. Nothing was changed.';
  return [...stories.flatMap(storyLines), last].join('\n');
}

/** Returns what a promotion did, for people. */
export function promotedText({ id, name, stories, warnings = [] }: PromotionFacts): string {
  return [
    `promotion ${id}: ${name}`,
    ...stories.map((story) => `  ${story.state} "${story.name}" (story ${story.story_id})`),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ].join('\n');
}

function storyLines(story: CheckedStory): string[] {
  const { count, story_diff: differences, conflict_count: conflicts } = story;
  const shown = differences.slice(0, MOST_DIFFERENCES);
  return [
    `${story.state} "${story.name}" in ${story.team}`,
    ...story.missing.map(({ kind, name }) => `  missing: ${kind} "${name}"`),
    ...story.refusals.map((refusal) => `  refused: ${refusal}`),
    ...story.conflicts.map(
      (each) => `  conflict: ${place(each)}: here ${value(each.live)}, it comes with ${value(each.incoming)}`,
    ),
    ...(conflicts > story.conflicts.length ? [`  … ${conflicts} conflicts`] : []),
    ...shown.map((each) => `  ${each.change}: ${place(each)}${changeOf(each)}`),
    ...(count > shown.length ? [`  … ${count} differences`] : []),
    ...story.kept.slice(0, MOST_DIFFERENCES).map((each) => `  stays: ${place(each)}`),
    ...story.new_record_types.map((name) => `  creates: record type "${name}"`),
    ...story.webhooks.map(({ action, url, is_kept: isKept }) => {
      return `  webhook "${action}": ${url ?? 'a new path'}${isKept ? '' : ' (new)'}`;
    }),
  ];
}

function place({ kind, action, path }: Place): string {
  return [action === null ? kind : `"${action}"`, ...(path === null ? [] : [path])].join(', ');
}

function changeOf({ change, path, before, after }: Difference): string {
  return change === 'changed' && path !== null ? `: ${value(before)} → ${value(after)}` : '';
}

function value(given: JsonValue): string {
  const text = stringifyJson(given);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
