import { stringifyJson } from '../../platform/json/exact-number.js';
import { type DraftStates, asDraft, asPublished } from '../drafts/as-published.js';
import { exportAlone } from '../export/export.js';
import { diffStories } from '../diff/story-diff.js';
import { listedDifferences } from '../diff/listed-differences.js';
import { storyOfSnapshot } from '../versions/version-snapshot.js';
import { mergeStory } from './merge-story.js';
import type { Side } from './three-way.js';

/** The states of a story and its draft, as the texts of their snapshots. */
export interface MergeOrder {
  /** What the draft was made of; null: unknown. */
  base: string | null;
  live: string;
  draft: string;
  /** The sides that were chosen, by the entries of conflicts. */
  choices: readonly (readonly [string, Side])[];
  /** The story becomes the draft as it is. */
  overwrites: boolean;
}

/**
 * Merges the changes of a draft and its story. Returns the JSON text of a `MergedStory`: exact numbers cannot leave a thread
 * otherwise. Pure; for a thread if the texts are large.
 */
export function mergeSnapshots(order: MergeOrder): string {
  const states = statesOf(order);
  const draft = asPublished(states);
  const { story, conflicts } = mergeStory({ ...states, draft }, new Map(order.choices));
  const result = order.overwrites ? draft : story;
  const merged = order.overwrites ? [] : diffStories(exportAlone(draft), exportAlone(story));
  const lists = [
    `"merged":${listedDifferences(merged)}`,
    `"overwritten":${order.overwrites ? overwritten(states, draft, order) : '[]'}`,
    `"conflicts":${stringifyJson(conflicts)}`,
  ];
  const stories = [`"story":${stringifyJson(result)}`, `"inDraft":${stringifyJson(asDraft(result, states))}`];
  return `{${[...stories, ...lists].join(',')}}`;
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
