import { TaskFailed, TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { type ComparedSides, compareSides, type SidesOrder } from './compare-sides-task.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'compare-sides': typeof import('./compare-sides-task.js').compareSides;
  }
}

/** Texts up to this length together are compared on the event loop. */
const AT_ONCE_CHARACTERS = 8 * 1024;
const DEADLINE_MS = 20_000;

/** Compares stories of this tenant with their files: large ones in a thread. @throws ThreadsBusy */
export type SideComparer = (tenantId: number, order: SidesOrder) => Promise<ComparedSides>;

export function createSideComparer(threads: Pick<ThreadPool, 'run'>): SideComparer {
  return async (tenantId, order) => {
    const ofFiles = (order.files ?? []).reduce((sum, { text }) => sum + text.length, 0);
    const bytes = ofFiles + (order.live?.length ?? 0) + (order.base?.length ?? 0);
    if (bytes <= AT_ONCE_CHARACTERS) return compareSides(order);
    try {
      return await threads.run('compare-sides', order, {
        tenantId,
        bytes: 2 * bytes,
        deadlineMs: DEADLINE_MS,
      });
    } catch (error) {
      if (error instanceof TaskFailed)
        return { ...NOTHING, problems: [`the story cannot be compared: ${error.message}`] };
      if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
      return { ...NOTHING, problems: [`the story is too large to compare: ${error.message}`] };
    }
  };
}

const NOTHING: ComparedSides = {
  written: [],
  isChangedHere: false,
  isSame: false,
  data: null,
  head: null,
  problems: [],
  warnings: [],
  isOther: false,
};
