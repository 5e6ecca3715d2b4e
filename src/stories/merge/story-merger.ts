import { Unprocessable } from '../../platform/errors.js';
import { objectOfLines } from '../../platform/json/json-lines.js';
import { atOnce, inSlices } from '../../platform/steps.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { StoredStory } from '../export/story-export-store.js';
import { type MergedLists, type MergedTexts, type MergeOrder, mergeSnapshots } from './story-merge-task.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'merge-stories': typeof import('./story-merge-task.js').mergeSnapshots;
  }
}

/** Texts up to this length together are merged on the event loop, within 20 ms. */
const AT_ONCE_CHARACTERS = 32 * 1024;
const DEADLINE_MS = 20_000;

/** A story merged with the changes of its draft; its stories are read with `readMerged`. */
export interface MergedStory extends Omit<MergedTexts, 'lists'>, MergedLists {}

/** Merges a draft of this tenant with its story: large ones in a thread. */
export type StoryMerger = (tenantId: number, order: MergeOrder) => Promise<MergedStory>;

/** @throws Unprocessable for stories that are too expensive to merge; ThreadsBusy. */
export function createStoryMerger(threads: Pick<ThreadPool, 'run'>): StoryMerger {
  return async (tenantId, order) => {
    const bytes = (order.base?.length ?? 0) + order.live.length + order.draft.length;
    if (bytes <= AT_ONCE_CHARACTERS) return mergedOf(mergeSnapshots(order));
    try {
      return mergedOf(
        await threads.run('merge-stories', order, { tenantId, bytes, deadlineMs: DEADLINE_MS }),
      );
    } catch (error) {
      if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
      throw new Unprocessable([{ message: `The draft is too large to merge: ${error.message}` }]);
    }
  };
}

function mergedOf({ lists, ...stories }: MergedTexts): MergedStory {
  return { ...stories, ...(parseJson(lists) as unknown as MergedLists) };
}

/** Returns a story of a merge, at once. */
export function parsedStory(text: string): StoredStory {
  return atOnce(objectOfLines(text)) as unknown as StoredStory;
}

/** Returns a story of a merge. */
export async function readMerged(text: string): Promise<StoredStory> {
  return (await inSlices(objectOfLines(text))) as unknown as StoredStory;
}
