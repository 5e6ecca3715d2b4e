import { stringifyJson } from '../../platform/json/exact-number.js';
import { asPublished } from '../drafts/as-published.js';
import { exportAlone } from '../export/export.js';
import { exportWithoutSecrets } from '../agents/hidden-options.js';
import type { StoredStory } from '../export/story-export-store.js';
import { storyOfSnapshot } from '../versions/version-snapshot.js';
import { diffStories } from './story-diff.js';

/** Two states of a story to be compared, as the texts of their snapshots. */
export interface DiffOrder {
  before: string;
  after: string;
  /** The secrets of webhooks are hidden on both sides. */
  hideSecrets: boolean;
  /** `after` is a draft of `before`: compares what the draft would be when it is published. */
  publishes?: boolean;
}

/** Bounds of one answer. */
const MOST_DIFFERENCES = 2_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * Compares two snapshots of a story. Returns the JSON text of a `StoryDiff`: exact numbers cannot leave a thread otherwise.
 * Pure; for a thread if the texts are large.
 */
export function diffSnapshots({ before, after, hideSecrets, publishes = false }: DiffOrder): string {
  const formOf = (story: StoredStory) => {
    const form = exportAlone(story);
    return hideSecrets ? exportWithoutSecrets(form) : form;
  };
  const [old, made] = [storyOfSnapshot(before), storyOfSnapshot(after)];
  const all = diffStories(formOf(old), formOf(publishes ? asPublished(made, old) : made));
  const listed: string[] = [];
  let left = MOST_CHARACTERS;
  for (const difference of all.slice(0, MOST_DIFFERENCES)) {
    const text = stringifyJson(difference);
    left -= text.length;
    if (left < 0) break;
    listed.push(text);
  }
  return `{"differences":[${listed.join(',')}],"count":${all.length},"complete":${listed.length === all.length}}`;
}
