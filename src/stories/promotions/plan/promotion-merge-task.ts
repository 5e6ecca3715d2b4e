import type { JsonObject } from '../../../platform/json.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { jsonLines } from '../../../platform/json/json-lines.js';
import { diffStories, type StoryDifference } from '../../diff/story-diff.js';
import { asPublished } from '../../drafts/as-published.js';
import { exportAlone } from '../../export/export.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { WEBHOOK_TYPE } from '../../import/import-address.js';
import type { NotedConflict } from '../../merge/conflict-book.js';
import { boundsFault } from '../../merge/merge-bounds.js';
import { mergeStory } from '../../merge/merge-story.js';
import type { Side } from '../../merge/three-way.js';
import { storyOfSnapshot } from '../../versions/version-snapshot.js';
import {
  type ContinuedActions,
  type ContinuedPairs,
  continuedActions,
  pairsIn,
  withContinued,
} from './continued-actions.js';

/** The states of a promoted story, as the texts of their snapshots. */
export interface PromotionMergeOrder {
  /** The story as it came with the last promotion; null: unknown. */
  base: string | null;
  /** The story in the target. */
  live: string;
  /** The story as it comes now. */
  incoming: string;
  choices: PromotionChoices;
  /** A story with conflicts that nobody has decided becomes as it comes. */
  overwrites: boolean;
}

/** How conflicts of a story are solved; `draft` is the side of the bundle. */
export interface PromotionChoices {
  /** The sides that were chosen, by the entries of conflicts. */
  entries: readonly (readonly [string, Side])[];
  /** The side of all other conflicts. */
  rest: Side | undefined;
}

/** A webhook that the story will have. */
export interface PromotedWebhook {
  action: string;
  path: string;
  /** Whether the story has it already: path and secret stay. */
  isKept: boolean;
}

/** What a promotion does to a story. */
export interface PromotionLists {
  /** What changes in the target. Not all of it if `complete` is false. */
  differences: StoryDifference[];
  count: number;
  complete: boolean;
  /** Changes made in the target that stay: `before` is what comes. */
  kept: StoryDifference[];
  /** The first ones, with and without a choice. */
  conflicts: NotedConflict[];
  conflictCount: number;
  /** The conflicts that nobody has decided. */
  openCount: number;
  webhooks: PromotedWebhook[];
  /** What is kept with the story as it came: `withPairs`. */
  continued: ContinuedPairs;
  /** Why no story can be what both make together; null: one can. */
  fault: string | null;
}

/** JSON texts: exact numbers cannot leave a thread otherwise. */
export interface PromotionTexts {
  /** The merged story, a `StoredStory`, in lines. */
  story: string;
  /** `PromotionLists`. */
  lists: string;
}

const MOST_CONFLICTS = 100;
/** Of one story: a promotion may have a hundred. */
const MOST_LISTED = 500;
const MOST_CHARACTERS = 128 * 1024;

/** Merges what comes with what was changed in the target since the last promotion. Pure; for a thread if the texts are large. */
export function mergePromotion({
  base,
  live: liveText,
  incoming,
  choices,
  overwrites,
}: PromotionMergeOrder): PromotionTexts {
  const live = storyOfSnapshot(liveText);
  const come = (story: StoredStory, continued: ContinuedActions, before?: StoredStory) =>
    asPublished({ draft: withContinued(withKeptOf(live, story), continued), live, base: before });
  const [earlier, next] = [base === null ? undefined : storyOfSnapshot(base), storyOfSnapshot(incoming)];
  const before = earlier && continuedActions(earlier, live, pairsIn(base ?? '{}'));
  const known = earlier && before && come(earlier, before);
  const continued = continuedActions(next, live, before);
  const draft = come(next, continued, known);
  const states = { base: known, live, draft };
  const {
    story: merged,
    conflicts: open,
    noted,
  } = mergeStory(states, new Map(choices.entries), choices.rest);
  const isWhole = overwrites && open.length > 0;
  const story = isWhole ? draft : merged;
  const fault = isWhole ? undefined : boundsFault(story, 'the story here and the bundle');
  const after = exportAlone(story);
  const all = diffStories(exportAlone(live), after);
  const listed = firstTexts(all, MOST_LISTED);
  const stays = known === undefined ? [] : diffStories(exportAlone(draft), after);
  const parts = [
    `"differences":[${listed.join(',')}]`,
    `"count":${all.length}`,
    `"complete":${listed.length === all.length}`,
    `"kept":[${firstTexts(stays, MOST_LISTED).join(',')}]`,
    `"conflicts":[${firstTexts(openFirst(noted), MOST_CONFLICTS).join(',')}]`,
    `"conflictCount":${noted.length}`,
    `"openCount":${open.length}`,
    `"webhooks":${JSON.stringify(webhooksOf(story, live))}`,
    `"fault":${JSON.stringify(fault ?? null)}`,
    `"continued":${JSON.stringify([...continued])}`,
  ];
  return { story: jsonLines(story as unknown as JsonObject), lists: `{${parts.join(',')}}` };
}

/** Returns the conflicts in the order of the story, or, if not all are listed, those without a choice first. */
function openFirst(conflicts: NotedConflict[]): NotedConflict[] {
  if (conflicts.length <= MOST_CONFLICTS) return conflicts;
  return conflicts.toSorted((one, other) => Number(one.take !== null) - Number(other.take !== null));
}

/** Returns the JSON of the first items, as far as they fit. */
function firstTexts(items: readonly (StoryDifference | NotedConflict)[], most: number): string[] {
  const texts: string[] = [];
  let left = MOST_CHARACTERS;
  for (const item of items.slice(0, most)) {
    const text = stringifyJson(item);
    left -= text.length;
    if (left < 0) break;
    texts.push(text);
  }
  return texts;
}

/** No part of a bundle: the story keeps its own. */
const KEPT_KEYS = ['send_to_stories', 'exported_at'];

function withKeptOf(live: StoredStory, story: StoredStory): StoredStory {
  const own = Object.entries(live.extra).filter(([key]) => KEPT_KEYS.includes(key));
  const rest = Object.entries(story.extra).filter(([key]) => !KEPT_KEYS.includes(key));
  return { ...story, extra: mergedObjects(orderedObject(rest), orderedObject(own)) };
}

/** Returns the webhooks of a story, and which of them `live` has. */
function webhooksOf(story: StoredStory, live: StoredStory): PromotedWebhook[] {
  const known = new Set(live.agents.map(({ columns }) => columns.guid));
  return story.agents.flatMap(({ columns }) => {
    const { path } = columns.options as JsonObject;
    if (columns.type !== WEBHOOK_TYPE || typeof path !== 'string') return [];
    const action = typeof columns.name === 'string' ? columns.name : '';
    return [{ action, path, isKept: known.has(columns.guid ?? null) }];
  });
}
