import { Unprocessable } from '../../../platform/errors.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { mergePromotion, type PromotionLists, type PromotionMergeOrder } from './promotion-merge-task.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'merge-promotion': typeof import('./promotion-merge-task.js').mergePromotion;
  }
}

/** Texts up to this length together are merged on the event loop, within 20 ms. */
const AT_ONCE_CHARACTERS = 32 * 1024;
const DEADLINE_MS = 20_000;

/** The merged story, which `readMerged` reads, and what the merge does. */
export interface MergedPromotion extends PromotionLists {
  story: string;
}

/** Merges a story that comes with that of the tenant: large ones in a thread. */
export type PromotionMerger = (tenantId: number, order: PromotionMergeOrder) => Promise<MergedPromotion>;

/** @throws Unprocessable for stories that are too expensive to merge; ThreadsBusy. */
export function createPromotionMerger(threads: Pick<ThreadPool, 'run'>): PromotionMerger {
  return async (tenantId, order) => {
    const bytes = (order.base?.length ?? 0) + order.live.length + order.incoming.length;
    if (bytes <= AT_ONCE_CHARACTERS) return mergedOf(mergePromotion(order));
    try {
      return mergedOf(
        await threads.run('merge-promotion', order, { tenantId, bytes, deadlineMs: DEADLINE_MS }),
      );
    } catch (error) {
      if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
      throw new Unprocessable([{ message: `The story is too large to merge: ${error.message}` }]);
    }
  };
}

function mergedOf({ story, lists }: ReturnType<typeof mergePromotion>): MergedPromotion {
  return { story, ...(parseJson(lists) as unknown as PromotionLists) };
}
