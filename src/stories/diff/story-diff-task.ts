import { asPublished } from '../drafts/as-published.js';
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
}

/**
 * Compares two snapshots of a story. Returns the JSON text of a `StoryDiff`: exact numbers cannot leave a thread otherwise.
 * Pure; for a thread if the texts are large.
 */
export function diffSnapshots({ before, after, hideSecrets, madeOf }: DiffOrder): string {
  const formOf = (story: StoredStory) => {
    const form = exportAlone(story);
    return hideSecrets ? atOnce(hiddenExport(form)) : form;
  };
  const [old, made] = [storyOfSnapshot(before), storyOfSnapshot(after)];
  const published = madeOf === undefined ? made : publishedStory({ old, made, madeOf });
  const all = diffStories(formOf(old), formOf(published));
  const listed = differenceTexts(all);
  return `{"differences":[${listed.join(',')}],"count":${all.length},"complete":${listed.length === all.length}}`;
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
