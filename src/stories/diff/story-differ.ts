import { Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { StoryDifference } from './story-diff.js';
import { type DiffOrder, diffSnapshots } from './story-diff-task.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'diff-stories': typeof import('./story-diff-task.js').diffSnapshots;
  }
}

/** Texts up to this length together are compared on the event loop, within 20 ms. */
const AT_ONCE_CHARACTERS = 64 * 1024;
const DEADLINE_MS = 20_000;

/** The differences between two states of a story. */
export interface StoryDiff {
  /** In the order of the story; not all of them if `complete` is false. */
  differences: StoryDifference[];
  count: number;
  complete: boolean;
  /** The draft of an order with `draftOf`, in the export form. */
  draft?: JsonObject;
}

/** Compares two states of a story of this tenant: large ones in a thread. */
export type StoryDiffer = (tenantId: number, order: DiffOrder) => Promise<StoryDiff>;

/** @throws Unprocessable for states that are too expensive to compare; ThreadsBusy. */
export function createStoryDiffer(threads: Pick<ThreadPool, 'run'>): StoryDiffer {
  return async (tenantId, order) => {
    const { draftOf } = order;
    const states = [order.before, order.after, draftOf?.live ?? '', draftOf?.base ?? ''];
    const length = states.reduce((sum, text) => sum + text.length, 0);
    if (length <= AT_ONCE_CHARACTERS) return diffOf(diffSnapshots(order));
    try {
      const options = { tenantId, bytes: length, deadlineMs: DEADLINE_MS };
      return diffOf(await threads.run('diff-stories', order, options));
    } catch (error) {
      if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
      throw new Unprocessable([{ message: `The versions are too large to compare: ${error.message}` }]);
    }
  };
}

function diffOf(text: string): StoryDiff {
  return parseJson(text) as unknown as StoryDiff;
}
