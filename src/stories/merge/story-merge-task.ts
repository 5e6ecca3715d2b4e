import { jsonLines } from '../../platform/json/json-lines.js';
import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { type DraftStates, asDraft, asPublished } from '../drafts/as-published.js';
import { exportAlone } from '../export/export.js';
import { diffStories, type StoryDifference } from '../diff/story-diff.js';
import { listedDifferences } from '../diff/listed-differences.js';
import { storyOfSnapshot } from '../versions/version-snapshot.js';
import { mergeStory } from './merge-story.js';
import type { MergeConflict, Side } from './three-way.js';

/** The states of a story and its draft, as the texts of their snapshots. */
export interface MergeOrder {
  /** The story that the draft was made of; null: unknown. */
  base: string | null;
  live: string;
  draft: string;
  /** The sides that were chosen, by the entries of conflicts. */
  choices: readonly (readonly [string, Side])[];
  /** The story becomes the draft as it is. */
  overwrites: boolean;
}

/** The result of a merge as JSON texts: exact numbers cannot leave a thread otherwise, and few readers need all of it. */
export interface MergedTexts {
  /** A `StoredStory` with the guids of the live story, in lines. */
  story: string;
  /** The same as content of the draft. */
  inDraft: string;
  /** `MergedLists`. */
  lists: string;
}

/** The lists of a merge. */
export interface MergedLists {
  /** Changes of the story that the draft lacks: `before` is the draft's. At most 2,000. */
  merged: StoryDifference[];
  /** Parts that an overwriting draft removes: `before` is the live story's. At most 2,000. */
  overwritten: StoryDifference[];
  /** The first conflicts that nobody has decided, and how many there are. */
  conflicts: MergeConflict[];
  conflictCount: number;
}

/** As many as one response names. */
const MOST_CONFLICTS = 99;

/** Merges the changes of a draft and its story. Pure; for a thread if the texts are large. */
export function mergeSnapshots(order: MergeOrder): MergedTexts {
  const states = statesOf(order);
  const draft = asPublished(states);
  const { story, conflicts } = mergeStory({ ...states, draft }, new Map(order.choices));
  const result = order.overwrites ? draft : story;
  const merged = order.overwrites ? [] : diffStories(exportAlone(draft), exportAlone(story));
  const lists = [
    `"merged":${listedDifferences(merged)}`,
    `"overwritten":${order.overwrites ? overwritten(states, draft, order) : '[]'}`,
    `"conflicts":${stringifyJson(conflicts.slice(0, MOST_CONFLICTS))}`,
    `"conflictCount":${conflicts.length}`,
  ];
  return {
    story: jsonLines(result as unknown as JsonObject),
    inDraft: jsonLines(asDraft(result, states) as unknown as JsonObject),
    lists: `{${lists.join(',')}}`,
  };
}

/** Returns what the draft takes away of what the live story has in addition to it. */
function overwritten(states: DraftStates, draft: DraftStates['draft'], order: MergeOrder): string {
  const open = mergeStory({ ...states, draft }, new Map(order.choices)).conflicts;
  const choices = new Map(open.map(({ entry }): [string, Side] => [entry, 'live']));
  const { story } = mergeStory({ ...states, draft }, choices);
  return listedDifferences(diffStories(exportAlone(story), exportAlone(draft)));
}

function statesOf({ base, live, draft }: MergeOrder): DraftStates {
  return {
    base: base === null ? undefined : storyOfSnapshot(base),
    live: storyOfSnapshot(live),
    draft: storyOfSnapshot(draft),
  };
}
