import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { type CommonOrder, commonState } from './common-state-task.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'common-state': typeof import('./common-state-task.js').commonState;
  }
}

/** Texts up to this length together are read on the event loop, within 20 ms. */
const AT_ONCE_CHARACTERS = 32 * 1024;
const DEADLINE_MS = 20_000;

/** Returns what `commonState` returns, for stories of this tenant: large ones in a thread. @throws ThreadsBusy, TaskTooLong */
export type CommonStates = (tenantId: number, order: CommonOrder) => Promise<string>;

export function createCommonStates(threads: Pick<ThreadPool, 'run'>): CommonStates {
  return async (tenantId, order) => {
    const bytes = order.draft.length + order.live.length + (order.base?.length ?? 0);
    if (bytes <= AT_ONCE_CHARACTERS) return commonState(order);
    return threads.run('common-state', order, { tenantId, bytes: 2 * bytes, deadlineMs: DEADLINE_MS });
  };
}
