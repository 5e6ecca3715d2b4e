import { jsonLines } from '../../platform/json/json-lines.js';
import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { type DraftStates, asDraft, asPublished } from '../drafts/as-published.js';
import { exportAlone } from '../export/export.js';
import { diffStories, type StoryDifference } from '../diff/story-diff.js';
import { listedDifferences } from '../diff/listed-differences.js';
import { type TestChanges, testChanges } from '../tests/test-changes.js';
import { storyOfSnapshot } from '../versions/version-snapshot.js';
import { boundsFault } from './merge-bounds.js';
import { mergeStory } from './merge-story.js';
import type { MergeConflict } from './conflict-book.js';
import type { Side } from './three-way.js';

/** The states of a story and its draft, as the texts of their snapshots. */
export interface MergeOrder {
  /** The story that the draft was made of; null: unknown. */
  base: string | null;
  live: string;
  draft: string;
  /** The sides that were chosen, by the entries of conflicts. */
  choices: readonly (readonly [string, Side])[];
  /** The side of all other conflicts. */
  rest?: Side | undefined;
  /** The story becomes the draft as it is. */
  overwrites: boolean;
  /** The result tells what each side has changed, too. */
  compares?: boolean;
  /** The list of conflicts begins after so many; 0 unless given. */
  skipped?: number;
}

/** The result of a merge as JSON texts: exact numbers cannot leave a thread otherwise, and few readers need all of it. */
export interface MergedTexts {
  /** A `StoredStory` with the guids of the live story, in lines. */
  story: string;
  /** The same as content of the draft. */
  inDraft: string;
  /** `MergedLists`. */
  lists: string;
  /** The live story and the result in the export form, in lines; only of an order that compares. */
  forms?: { live: string; published: string };
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
  /** What the result does to the tests of the live story. */
  tests: TestChanges;
  /** Why the result cannot be a story; null: it can. */
  fault: string | null;
  /** What each side has changed since the base; only of an order that compares. At most 2,000 each. */
  sides?: Record<Side, StoryDifference[]>;
}

/** The conflicts that a refusal names, and those that a comparison lists: so many, of so many characters of JSON. */
const MOST_NAMED = { count: 99, characters: 8 * 1024 * 1024 };
const MOST_COMPARED = { count: 1_000, characters: 2 * 1024 * 1024 };

/** Returns the JSON of the first conflicts. */
function listed(conflicts: MergeConflict[], most: typeof MOST_NAMED): string[] {
  const texts: string[] = [];
  let characters = 0;
  for (const conflict of conflicts.slice(0, most.count)) {
    const text = stringifyJson(conflict);
    characters += text.length;
    if (characters > most.characters) break;
    texts.push(text);
  }
  return texts;
}

/** Merges the changes of a draft and its story. Pure; for a thread if the texts are large. */
export function mergeSnapshots(order: MergeOrder): MergedTexts {
  const states = statesOf(order);
  const draft = asPublished(states);
  const { story, conflicts } = mergeStory({ ...states, draft }, new Map(order.choices), order.rest);
  const compared = order.compares === true ? comparedSides({ ...states, draft }, story) : undefined;
  const result = order.overwrites ? draft : story;
  const merged = order.overwrites ? [] : diffStories(exportAlone(draft), exportAlone(story));
  const lists = [
    `"merged":${listedDifferences(merged)}`,
    `"overwritten":${order.overwrites ? overwritten(states, draft, order) : '[]'}`,
    `"conflicts":[${listed(conflicts.slice(order.skipped ?? 0), order.compares === true ? MOST_COMPARED : MOST_NAMED).join(',')}]`,
    `"conflictCount":${conflicts.length}`,
    `"tests":${JSON.stringify(testChanges(states.live.extra, result.extra))}`,
    `"fault":${JSON.stringify((order.overwrites ? undefined : boundsFault(story)) ?? null)}`,
    ...(compared === undefined ? [] : [`"sides":${compared.sides}`]),
  ];
  return {
    story: jsonLines(result as unknown as JsonObject),
    inDraft: jsonLines(asDraft(result, states) as unknown as JsonObject),
    lists: `{${lists.join(',')}}`,
    ...(compared !== undefined && { forms: compared.forms }),
  };
}

/** Of an unknown base, all that differs counts as changed by the draft. */
function comparedSides({ base, live, draft }: DraftStates, story: DraftStates['draft']) {
  const liveForm = exportAlone(live);
  const baseForm = base === undefined ? liveForm : exportAlone(base);
  const changed = (form: JsonObject) => listedDifferences(diffStories(baseForm, form));
  return {
    sides: `{"live":${changed(liveForm)},"draft":${changed(exportAlone(draft))}}`,
    forms: { live: jsonLines(liveForm), published: jsonLines(exportAlone(story)) },
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
