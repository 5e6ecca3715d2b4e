import { PayloadTooLarge } from '../../../platform/errors.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { type ResponseOrder, writtenResponse } from './written-response.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'write-answer': typeof import('./written-response.js').writtenResponse;
  }
}

/** Up to this size a response is written on the event loop, in a few ms. */
const AT_ONCE_CHARACTERS = 128 * 1024;
const DEADLINE_MS = 10_000;

/** Writes a response: a large one in a thread, without threads on the event loop. @throws as `writtenAnswer`; ThreadsBusy. */
export async function writeAnyResponse(
  order: ResponseOrder,
  { threads, tenantId }: { threads: Pick<ThreadPool, 'run'> | undefined; tenantId: number },
): Promise<string> {
  const { length } = order.response.text;
  if (threads === undefined || length <= AT_ONCE_CHARACTERS) return writtenResponse(order);
  try {
    return await threads.run('write-answer', order, { tenantId, bytes: 2 * length, deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
    throw new PayloadTooLarge(`The response is too expensive to shorten: ${error.message}`);
  }
}
