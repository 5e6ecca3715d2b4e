import { asPublished } from '../drafts/as-published.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { atOnce } from '../../platform/steps.js';
import { exportAlone } from '../export/export.js';
import { hiddenExport } from '../agents/hidden-options.js';
import type { StoredStory } from '../export/story-export-store.js';
import { mergeStory } from '../merge/merge-story.js';
import { storyOfSnapshot } from '../versions/version-snapshot.js';
import { differenceTexts } from './listed-differences.js';
import { diffStories } from './story-diff.js';

/** Two states of a story to be compared, as the texts of their snapshots. */
export interface DiffOrder {
  before: string;
  after: string;
  /** The secrets of webhooks are hidden on both sides. */
  hideSecrets: boolean;
  /**
   * `after` is a draft of `before`, made of this state (null: unknown): compares what the story would be when it is
   * published, with the draft's side of conflicts.
   */
  madeOf?: string | null;
  /** `after` is a draft of this live story, made of this base (null: unknown): its actions have the guids of the live ones. */
  draftOf?: { live: string; base: string | null };
}

/**
 * Compares two snapshots of a story. Returns the JSON text of a `StoryDiff`: exact numbers cannot leave a thread otherwise.
 * Pure; for a thread if the texts are large.
 */
export function diffSnapshots({ before, after, hideSecrets, madeOf, draftOf }: DiffOrder): string {
  const formOf = (story: StoredStory) => {
    const form = exportAlone(story);
    return hideSecrets ? atOnce(hiddenExport(form)) : form;
  };
  const [old, made] = [storyOfSnapshot(before), storyOfSnapshot(after)];
  const draft = draftOf && asPublished({ draft: made, ...statesOf(draftOf) });
  const published = madeOf === undefined ? (draft ?? made) : publishedStory({ old, made, madeOf });
  const form = formOf(published);
  const all = diffStories(formOf(old), form);
  const listed = differenceTexts(all);
  const parts = [
    `"differences":[${listed.join(',')}]`,
    `"count":${all.length}`,
    `"complete":${listed.length === all.length}`,
    ...(draft === undefined ? [] : [`"draft":${stringifyJson(form)}`]),
  ];
  return `{${parts.join(',')}}`;
}

function statesOf({ live, base }: { live: string; base: string | null }) {
  return { live: storyOfSnapshot(live), base: base === null ? undefined : storyOfSnapshot(base) };
}

function publishedStory({
  old,
  made,
  madeOf,
}: {
  old: StoredStory;
  made: StoredStory;
  madeOf: string | null;
}) {
  const base = madeOf === null ? undefined : storyOfSnapshot(madeOf);
  const draft = asPublished({ draft: made, live: old, base });
  return mergeStory({ base, live: old, draft }).story;
}
